"""Routes of Spring Data REST."""

from __future__ import annotations

from indexing.rules.routes import DataRestRoutes

TEXT = """package shop;
@RepositoryRestResource(path = "/orders", collectionResourceRel = "orders")
public interface OrderRepository extends CrudRepository<Order, Long> {
  List<Order> findByState(@Param("state") String state);
  @RestResource(path = "mine")
  @Query("select o from Order o")
  List<Order> findByCustomer(@Param("id") String id);
  @RestResource(exported = false)
  List<Order> findBySecret(String s);
  Order findById(@Param("id") Long id);
}
"""
BASIC = [
    "GET /orders",
    "POST /orders",
    "GET /orders/{id}",
    "PUT /orders/{id}",
    "PATCH /orders/{id}",
    "DELETE /orders/{id}",
]


def test_a_collection_its_items_and_a_search_for_each_finder(served):
    assert served(DataRestRoutes(), "OrderRepository.java", TEXT) == sorted(
        [(2, route, "OrderRepository") for route in BASIC]
        + [
            (4, "GET /orders/search/findByState", "OrderRepository.findByState"),
            (7, "GET /orders/search/mine", "OrderRepository.findByCustomer"),
        ]
    )


def test_what_is_not_exported(served):
    rule = DataRestRoutes()
    for said in ('(path = "orders", exported = false)', '(collectionResourceRel = "orders")', ""):
        assert (
            served(rule, "A.java", f"@RepositoryRestResource{said}\ninterface A extends Repository<B, C> {{\n}}\n")
            == []
        )
    assert served(rule, "A.java", "interface A extends Repository<B, C> {\n}\n") == []
    open_ended = '@RepositoryRestResource(path = "orders")\ninterface A extends Repository<B, C> {\n'
    assert len(served(rule, "A.java", open_ended)) == len(BASIC)
