from __future__ import annotations

from indexing.chunks.draft import header


def test_project_path_and_symbols_in_words():
    assert header("billing", "db/schema.sql", ["customer_accounts"]) == "billing db schema sql customer accounts"
    assert header("order-intake", "src/OrderService.py", ["OrderService.placeOrder"]) == (
        "order intake src order service py order service place order"
    )


def test_each_name_once_and_a_class_before_its_members():
    assert header("shop", "a.py", ["Cart", "Cart.add", "Cart.remove", "Cart.add"]) == "shop a py cart add remove"
    assert header("httpx", "httpx/httpx/a.py", []) == "httpx a py"
    assert header("shop-api", "shop_api/cart.py", []) == "shop api cart py", "another spelling is the same name"


def test_a_phrase_keeps_its_words():
    assert header("t", "retry.py", ["retry_if_exception"]) == "t retry py retry if exception"
    assert header("retry", "retry.py", []) == "retry py", "a word is not said twice in a row"


def test_what_python_names_says_nothing():
    assert header("shop", "__init__.py", ["Cart", "Cart.__init__", "__all__"]) == "shop init py cart"


def test_it_leaves_the_model_room_for_the_text():
    assert len(header("p", "a.py", [f"constant_{n}" for n in range(100)]).split()) == 48
