#pragma once
#include <memory>
#include "store.hpp"

namespace shop::orders {

constexpr int kMaxLines = 50;

/// Keeps orders.
class Store : public Closeable {
 public:
  virtual ~Store() = default;
  virtual void Save(const Order& order) = 0;
};

/**
 * Takes orders.
 */
template <typename T>
class Service final : public Base<T>, private api::Orders {
 public:
  explicit Service(std::shared_ptr<Store> store);
  void Place(const Order& order);
  int Count() const { return count_; }

  struct Line { int Price() { return 1; } };

 private:
  std::shared_ptr<Store> store_;
  Gateway* gateway_;
  int count_;
};

enum class State { kOpen, kPaid };
using Orders = std::vector<Order>;

}  // namespace shop::orders
