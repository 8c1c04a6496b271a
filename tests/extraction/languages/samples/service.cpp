#include "service.hpp"
#include <string>

namespace shop {
namespace orders {

static const int kRetries = 3;

// Makes one.
Service::Service(std::shared_ptr<Store> store) : store_(std::move(store)) {}

/// Places one order.
void Service::Place(const Order& order) {
  AuditLog log(order);
  log.Write();
  auto prices = std::make_unique<Prices>();
  prices->Of(order);
  store_->Save(order);
  this->gateway_->Charge(order);
  Validate(order);
  Money::Zero();
  auto line = new Line(1);
}

int broken() { return = 3; }

bool Service::Line::Check() const { return true; }

bool operator==(const Order& a, const Order& b) { return Same(a, b); }

}  // namespace orders
}  // namespace shop

template <typename T>
T shop::Largest(T a, T b) { return a; }

int main() { shop::orders::Run(); }
