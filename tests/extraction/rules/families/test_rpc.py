"""Thrift, GraphQL and tRPC: who serves what, and who asks."""

from __future__ import annotations

import pytest

CASES = [
    ("thrift", "a.py", "import thrift\nfrom shop import Cart\nclient = Cart.Client(protocol)\nCart.Processor(handler)\n", ["EXPOSES Cart @4", "INVOKES Cart @3"]),
    ("thrift's file", "a.thrift", "service Cart extends base.Service {\n  void add(1: i32 id)\n}\n", ["INVOKES Cart @1"]),
    ("graphql in Java", "A.java", "import org.springframework.graphql.x;\nclass A {\n @QueryMapping\n Order orderById(String id) { return null; }\n}\n", ["INVOKES orderById @3"]),
    ("a query", "a.tsx", "const q = gql`\n  query Get($id: ID!) {\n    orderById(id: $id) { id }\n  }\n`;\n", ["INVOKES orderById @2"]),
    ("trpc", "a.ts", "import { initTRPC } from '@trpc/server';\nexport const r = router({ orderById: publicProcedure.input(z).query(f) });\n", ["INVOKES orderById @2"]),
    ("trpc's client", "a.ts", "import { trpc } from './trpc';\nconst x = trpc.orderById.useQuery(1);\n", ["INVOKES orderById @2"]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "rows"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_remote_calls(stated, path, text, rows):
    assert stated("rpc", path, text) == sorted(rows)
