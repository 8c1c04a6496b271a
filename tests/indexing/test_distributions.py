from __future__ import annotations

import json

import pytest

from indexing.distributions import discover_distribution
from memory.errors import InvalidInputError

LIMIT = 1_000


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Makes a folder that Python looks for distributions in, and distributions in it."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(files, *, name="Shop-Kit", record=True, **more):
        info = tmp_path / f"{name.lower().replace('-', '_')}-1.2.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n\n# Shop kit\n")
        for path, text in files.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        for path, text in more.items():
            (info / path.replace("__", ".")).write_text(text)
        if record:
            listed = [
                *files,
                *(f"{info.name}/{f.name}" for f in info.iterdir()),
                f"{info.name}/RECORD",
                "../../../bin/shop",
                "/etc/passwd",
            ]
            (info / "RECORD").write_text("".join(f"{path},,\n" for path in listed))
        return info

    return install


@pytest.mark.specification("000 §8.1 item", "000 §6.3 fields")
def test_the_package_and_its_description(installed, tmp_path):
    installed(
        {
            "shop/__init__.py": "",
            "shop/cart.py": "x = 1\n",
            "shop/_vendor/six.py": "",
            "shop/_vendor/toml.py": "",
            "shop/core.so": "",
            "shop/ca.pem": "",
        },
        entry_points__txt="[console_scripts]\nshop = shop:main\n",
    )
    (tmp_path / "elsewhere.py").write_text("")
    found = discover_distribution("shop-kit", max_file_bytes=LIMIT)
    assert (found.name, found.repo, found.commit, found.root) == ("Shop-Kit", "Shop-Kit", "1.2", tmp_path)
    assert found.files == ("shop/__init__.py", "shop/cart.py", "shop_kit-1.2.dist-info/METADATA")
    assert [(row.path, row.reason) for row in found.skipped] == [
        ("shop/_vendor", "vendored"),
        ("shop/ca.pem", "secret"),
        ("shop/core.so", "binary"),
    ]


def test_what_the_record_lists_and_the_disk_does_not_hold(installed, tmp_path):
    installed({"shop/a.py": "", "shop/gone.py": "", "shop/large.py": "x" * (LIMIT + 1), "shop/link.py": ""})
    (tmp_path / "shop/gone.py").unlink()
    (tmp_path / "shop/link.py").unlink()
    (tmp_path / "shop/link.py").symlink_to(tmp_path / "shop/a.py")
    found = discover_distribution("Shop_Kit", max_file_bytes=LIMIT)
    assert found.files == ("shop/a.py", "shop_kit-1.2.dist-info/METADATA")
    assert {row.path: row.reason for row in found.skipped} == {
        "shop/gone.py": "unreadable",
        "shop/large.py": "too_large",
        "shop/link.py": "symlink",
    }


def test_a_real_one():
    found = discover_distribution("anyio", max_file_bytes=1_000_000)
    assert "anyio/_core/_tasks.py" in found.files
    assert all((found.root / path).is_file() for path in found.files)
    assert not any(path.endswith((".pyc", "RECORD", "WHEEL")) for path in found.files)


@pytest.mark.parametrize("name", ["no-such-distribution-here", "", "../x"])
def test_one_that_is_not_installed(name):
    with pytest.raises(InvalidInputError, match="No distribution") as caught:
        discover_distribution(name, max_file_bytes=LIMIT)
    assert caught.value.hint == f"Install it: pip install {name}"


def test_one_without_a_record(installed):
    installed({}, record=False)
    with pytest.raises(InvalidInputError, match="has no RECORD"):
        discover_distribution("shop-kit", max_file_bytes=LIMIT)


def test_an_editable_one_names_its_folder(installed):
    installed({}, direct_url__json=json.dumps({"url": "file:///srv/shop", "dir_info": {"editable": True}}))
    with pytest.raises(InvalidInputError, match="editable") as caught:
        discover_distribution("shop-kit", max_file_bytes=LIMIT)
    assert caught.value.hint == "Index its folder instead: /srv/shop"
