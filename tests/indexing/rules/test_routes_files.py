"""Routes that are files."""

from __future__ import annotations

import pytest

from indexing.rules.routes import FileRoutes

SWITCH = "const handler = (req, res) => {\n  switch (req.method) {\n    case 'GET': {\n    }\n    case 'POST':\n  }\n};\nexport default handler;\n"


@pytest.mark.parametrize(
    ("path", "text", "rows"),
    [
        ("web/pages/api/products/[productId]/index.ts", SWITCH, [(3, "GET /api/products/{productId}", ""), (5, "POST /api/products/{productId}", "")]),
        ("pages/api/data.js", "module.exports = f;\n", [(1, "ANY /api/data", "")]),
        ("src/app/(shop)/carts/[...all]/route.ts", "import x\nexport async function DELETE(r) {}\n", [(2, "DELETE /carts/{all}", "")]),
        ("src/routes/api/ping/+server.ts", "export const GET = f;\n", [(1, "GET /api/ping", "")]),
        ("server/api/users.post.ts", "export default defineEventHandler(f)\n", [(1, "POST /api/users", "")]),
        ("pages/api/types.ts", "export type A = string;\n", []),
    ],
)  # fmt: skip
def test_a_file_is_a_route(served, path, text, rows):
    assert served(FileRoutes(), path, text) == rows


def test_other_files_are_none():
    assert not any(map(FileRoutes().reads, ("pages/index.tsx", "src/route.txt", "a/routes.ts")))
