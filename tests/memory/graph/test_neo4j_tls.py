"""TLS: in front of the tests' server stands a proxy with a certificate that nobody but its maker trusts."""

from __future__ import annotations

import shutil
import ssl
import subprocess

import pytest

from memory.errors import StoreError
from memory.graph import as_parts
from tests.contracts.graph_store import ALL, ENTITIES, SHOP
from tests.neo4j_server import proxied

pytestmark = pytest.mark.enable_socket


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """The certificate's file, and the context of a server that has it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no certificate can be made: there is no openssl on this machine")
    folder = tmp_path_factory.mktemp("tls")
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", folder / "key.pem", "-out", folder / "certificate.pem"]
    subprocess.run([openssl, "req", *kind, *name, *files], check=True, capture_output=True)  # noqa: S603 - our own words
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return folder / "certificate.pem", context


@pytest.fixture
async def version(neo4j_server):
    store = neo4j_server.create()
    await store.replace(as_parts([SHOP]))
    yield store.version
    await store.remove()
    await store.close()


async def read(server, version, proxy, **changes):
    store = server.open(version, server.through(proxy, **changes))
    try:
        return await store.all_entities(permission=ALL)
    finally:
        await store.close()


async def test_a_certificate_that_is_named_is_trusted(neo4j_server, version, certificate):
    file, context = certificate
    async with proxied(neo4j_server.address, tls=context) as proxy:
        found = await read(neo4j_server, version, proxy, ca_file=str(file))
        assert len(found) == len(ENTITIES)
        anybody = proxy.uri.replace("bolt://", "bolt+ssc://")
        assert await read(neo4j_server, version, proxy, uri=anybody) == found


@pytest.mark.parametrize("changes", [{"encrypted": True}, {}], ids=["not trusted", "no TLS"])
async def test_a_certificate_that_is_not_trusted_is_not_talked_to(neo4j_server, version, certificate, changes):
    async with proxied(neo4j_server.address, tls=certificate[1]) as proxy:
        with pytest.raises(StoreError, match=rf"{proxy.uri} is out of reach"):
            await read(neo4j_server, version, proxy, **changes)
