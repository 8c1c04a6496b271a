"""Which files are a project's: a folder's, and an installed distribution's."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexing.discovery import (
    DiscoveredProject,
    discover,
    discover_distribution,
    each_subfolder,
    refuse_duplicates,
)
from memory.errors import DuplicateProjectError, InvalidInputError
from memory.generation import SkippedFile

LIMIT = 1_000


def put(root, *paths, text="x\n"):
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def reasons(project):
    return {row.path: row.reason for row in project.skipped}


def test_the_files_of_a_project_sorted_and_with_slashes(tmp_path):
    put(tmp_path / "billing", "src/b.py", "src/a.py", "README.md", ".github/workflows/ci.yml", "a-b.py")
    found = discover(tmp_path / "billing", max_file_bytes=LIMIT)
    assert found == DiscoveredProject(
        name="billing",
        root=tmp_path / "billing",
        repo="billing",
        commit="",
        files=(".github/workflows/ci.yml", "README.md", "a-b.py", "src/a.py", "src/b.py"),
        skipped=(),
    )


def test_name_repository_and_commit(tmp_path):
    put(tmp_path, ".git/HEAD", text="d" * 40)
    put(tmp_path, ".git/config", text='[remote "origin"]\n url = git@example.org:acme/billing.git\n')
    found = discover(tmp_path, name="ledger", max_file_bytes=LIMIT)
    assert (found.name, found.repo, found.commit) == ("ledger", "acme/billing", "d" * 40)
    assert reasons(found) == {".git": "ignored"}


def test_why_files_and_folders_are_left_out(tmp_path):
    put(
        tmp_path,
        ".env", "deploy/id_rsa", ".ssh/config", "logo.png", "uv.lock", "node_modules/x/index.js", "env/pyvenv.cfg", "env/lib/a.py",
        "dist/app.js", "__pycache__/a.pyc", "logs/today.txt", "a.log", "kept.py",
    )  # fmt: skip
    put(tmp_path, ".gitignore", text="logs/\n*.log\n.env\n")
    put(tmp_path, "large.py", text="x" * (LIMIT + 1))
    put(tmp_path, "just.py", text="x" * LIMIT)
    found = discover(tmp_path, max_file_bytes=LIMIT)
    assert found.files == ("just.py", "kept.py")
    assert reasons(found) == {
        ".gitignore": "ignored",
        ".env": "secret",
        "deploy/id_rsa": "secret",
        ".ssh": "secret",
        "logo.png": "binary",
        "uv.lock": "generated",
        "node_modules": "vendored",
        "env": "vendored",
        "dist": "generated",
        "__pycache__": "ignored",
        "logs": "ignored",
        "a.log": "ignored",
        "large.py": "too_large",
    }


def test_what_the_project_ignores_is_called_ignored_even_if_a_tool_made_it(tmp_path):
    put(tmp_path, "dist/app.js", "app.min.js", "node_modules/x.js")
    put(tmp_path, ".gitignore", text="dist\n*.min.js\nnode_modules\n")
    found = discover(tmp_path, max_file_bytes=LIMIT)
    assert reasons(found) == {
        ".gitignore": "ignored",
        "dist": "ignored",
        "app.min.js": "ignored",
        "node_modules": "vendored",
    }


@pytest.mark.specification("001 §4.1 index")
def test_the_folder_of_an_index_is_no_part_of_a_project(tmp_path):
    put(tmp_path, "a.py", "b/c.py", ".idx/hybrid-retrieval.json", ".idx/generations/1/facts/a.jsonl", "b/own/d.md")
    put(tmp_path, "b/own/hybrid-retrieval.json")
    found = discover(tmp_path, max_file_bytes=LIMIT)
    assert found.files == ("a.py", "b/c.py")
    assert reasons(found) == {".idx": "ignored", "b/own": "ignored"}
    put(tmp_path, "kept/hybrid-retrieval.json")
    assert each_subfolder(tmp_path) == [tmp_path / "b"]
    assert discover(tmp_path / "kept", max_file_bytes=LIMIT).files == ("hybrid-retrieval.json",)


def test_a_draagon_folder_that_is_there_is_read_as_documents(tmp_path):
    (tmp_path / ".draagon").mkdir()
    (tmp_path / ".draagon/patterns.md").write_text("# Patterns\n")
    found = discover(tmp_path, max_file_bytes=1000)
    assert (found.files, found.skipped) == ((".draagon/patterns.md",), ())


def test_nested_rules_and_rules_from_above(tmp_path):
    put(tmp_path, ".gitignore", text="project\n*.txt\n")
    put(tmp_path, "project/a.txt", "project/sub/b.txt", "project/sub/c.md")
    put(tmp_path, "project/sub/.gitignore", text="*.md\n")
    found = discover(tmp_path / "project", max_file_bytes=LIMIT)
    assert found.files == ("a.txt", "sub/b.txt"), "rules count from the given folder downward"


def test_a_project_inside_a_repository_is_its_own_root(tmp_path):
    put(tmp_path, ".git/HEAD", text="d" * 40)
    put(tmp_path, "services/billing/a.py")
    found = discover(tmp_path / "services" / "billing", max_file_bytes=LIMIT)
    assert (found.repo, found.commit, found.files) == ("billing", "", ("a.py",))


def test_links_are_one_row_each_and_a_loop_ends(tmp_path):
    put(tmp_path, "a.py", "sub/b.py")
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    (tmp_path / "self").symlink_to(tmp_path / "self")
    (tmp_path / "copy.py").symlink_to(tmp_path / "a.py")
    (tmp_path / "outside").symlink_to("/")
    (tmp_path / ".env").symlink_to(tmp_path / "a.py")
    found = discover(tmp_path, max_file_bytes=LIMIT)
    assert found.files == ("a.py", "sub/b.py")
    assert set(reasons(found).values()) == {"symlink"}
    assert set(reasons(found)) == {"sub/loop", "self", "copy.py", "outside", ".env"}


def test_a_linked_root_is_followed_and_lends_its_name(tmp_path):
    put(tmp_path, "real/a.py")
    (tmp_path / "billing").symlink_to(tmp_path / "real")
    found = discover(tmp_path / "billing", max_file_bytes=LIMIT)
    assert (found.name, found.files) == ("billing", ("a.py",))


def test_a_root_given_from_where_one_stands(tmp_path, monkeypatch):
    put(tmp_path, "billing/a.py")
    monkeypatch.chdir(tmp_path / "billing")
    assert discover(Path(), max_file_bytes=LIMIT).name == "billing"


def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert reasons(discover(tmp_path, max_file_bytes=LIMIT)) == {"pipe": "unreadable"}


def test_a_file_of_200_megabytes_costs_a_look_at_its_size(tmp_path):
    with (tmp_path / "huge.sql").open("wb") as stream:
        stream.truncate(200_000_000)
    assert reasons(discover(tmp_path, max_file_bytes=LIMIT)) == {"huge.sql": "too_large"}


def test_a_name_that_is_no_utf8(tmp_path):
    name = os.fsencode(tmp_path) + b"/pl\xe4ne.md"
    try:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
    except OSError:
        pytest.skip("this file system refuses such names")
    assert reasons(discover(tmp_path, max_file_bytes=LIMIT)) == {"pl\ufffdne.md": "undecodable"}


def test_a_name_that_is_more_than_one_line_or_steers_a_terminal(tmp_path):
    put(tmp_path, "a\nSources\nb.md", "c\u2028d.md", "e\x1b[31m/f.md", "g\u202eh.md", "it's fine 👩\u200d👩.md")
    found = discover(tmp_path, max_file_bytes=LIMIT)
    assert found.files == ("it's fine 👩\u200d👩.md",)
    named = ["a\ufffdSources\ufffdb.md", "c\ufffdd.md", "e\ufffd[31m", "g\ufffdh.md"]
    assert reasons(found) == dict.fromkeys(named, "undecodable")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission(tmp_path):
    put(tmp_path, "closed/a.py", "b.py")
    (tmp_path / "closed").chmod(0)
    try:
        found = discover(tmp_path, max_file_bytes=LIMIT)
        assert (found.files, reasons(found)) == (("b.py",), {"closed": "unreadable"})
        with pytest.raises(InvalidInputError, match="can't be read"):
            discover(tmp_path / "closed", max_file_bytes=LIMIT)
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_folders_too_deep_for_the_system_are_a_row(tmp_path):
    """Paths beyond PATH_MAX exist (each level is made from the one above) and can't be opened from the root."""
    depth, here = 0, os.open(tmp_path, os.O_RDONLY)
    while depth < 20:
        os.mkdir("d" * 250, dir_fd=here)
        deeper = os.open("d" * 250, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here, depth = deeper, depth + 1
    os.close(here)
    found = discover(tmp_path, max_file_bytes=LIMIT)
    assert found.files == ()
    assert [row.reason for row in found.skipped] == ["unreadable"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("gone", "There is no folder"),
        ("file.txt", "is a file, not a folder"),
        ("loop", "can't be read"),
        ("file.txt/below", "is a file"),
    ],
)
def test_a_root_that_is_no_folder(tmp_path, path, message):
    put(tmp_path, "file.txt")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for ask in (lambda p: discover(p, max_file_bytes=LIMIT), each_subfolder):
        with pytest.raises(InvalidInputError, match=message) as caught:
            ask(tmp_path / path)
        assert caught.value.hint, "says what to do"
        assert caught.value.exit_code == 2


def test_a_root_without_a_name():
    with pytest.raises(InvalidInputError, match="no name"):
        discover(Path("/"), max_file_bytes=LIMIT)


def test_each_subfolder(tmp_path):
    put(
        tmp_path,
        "crm/a.py",
        "billing/a.py",
        ".git/HEAD",
        ".hidden/a.py",
        "node_modules/a.js",
        "__pycache__/a.pyc",
        "README.md",
        "vendor/a.py",
    )
    (tmp_path / "linked").symlink_to(tmp_path / "crm")
    assert [p.name for p in each_subfolder(tmp_path)] == ["billing", "crm", "vendor"]
    assert each_subfolder(tmp_path / "crm") == []


def test_two_projects_of_one_name():
    refuse_duplicates([("a", "/x/a"), ("b", "/x/b"), ("a", "/x/a")])
    with pytest.raises(DuplicateProjectError, match=r"'a': /x/a and /y/a"):
        refuse_duplicates([("a", "/x/a"), ("b", "/x/b"), ("a", "/y/a")])


NAMES = st.sampled_from(
    [
        "a.py",
        "b.md",
        ".env",
        "logo.png",
        "src",
        "dist",
        "node_modules",
        "vendor",
        "x.log",
        "go.mod",
        "build",
        ".gitignore",
    ]
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(NAMES, min_size=1, max_size=3), max_size=12),
    st.sampled_from(["", "*.log\n", "src/\n", "*\n!*.py\n!*/\n"]),
)
def test_every_file_is_either_read_or_has_a_row(tmp_path_factory, paths, rules):
    root = tmp_path_factory.mktemp("project")
    for parts in paths:
        try:
            put(root, "/".join(parts))
        except OSError:  # a file stands where this one wants a folder
            continue
    if not (root / ".gitignore").is_dir():
        put(root, ".gitignore", text=rules)
    found = discover(root, max_file_bytes=LIMIT)
    rows = [row.path for row in found.skipped]
    on_disk = [p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()]
    for path in on_disk:
        covered = sum(path == row or path.startswith(f"{row}/") for row in rows)
        assert (path in found.files) + covered == 1, path
    assert set(found.files) <= set(on_disk)
    assert list(found.skipped) == sorted(set(found.skipped), key=lambda row: (row.path, row.reason))
    assert all(isinstance(row, SkippedFile) for row in found.skipped)


@pytest.mark.parametrize("name", [b"b\xffd", b"b\nd", b"b\x1bd"])
def test_a_folder_whose_name_is_no_line_of_text_is_no_project(tmp_path, name):
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    folder.mkdir()
    with pytest.raises(InvalidInputError, match=r"b\ufffdd is not UTF-8 or has control characters\. Rename the folder"):
        discover(folder, max_file_bytes=1000)


LIMIT_INSTALLED = 1_000


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
    found = discover_distribution("shop-kit", max_file_bytes=LIMIT_INSTALLED)
    assert (found.name, found.repo, found.commit, found.root) == ("Shop-Kit", "Shop-Kit", "1.2", tmp_path)
    assert found.files == ("shop/__init__.py", "shop/cart.py", "shop_kit-1.2.dist-info/METADATA")
    assert [(row.path, row.reason) for row in found.skipped] == [
        ("shop/_vendor", "vendored"),
        ("shop/ca.pem", "secret"),
        ("shop/core.so", "binary"),
    ]


def test_what_the_record_lists_and_the_disk_does_not_hold(installed, tmp_path):
    installed({"shop/a.py": "", "shop/gone.py": "", "shop/large.py": "x" * (LIMIT_INSTALLED + 1), "shop/link.py": ""})
    (tmp_path / "shop/gone.py").unlink()
    (tmp_path / "shop/link.py").unlink()
    (tmp_path / "shop/link.py").symlink_to(tmp_path / "shop/a.py")
    found = discover_distribution("Shop_Kit", max_file_bytes=LIMIT_INSTALLED)
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
        discover_distribution(name, max_file_bytes=LIMIT_INSTALLED)
    assert caught.value.hint == f"Install it: pip install {name}"


def test_one_without_a_record(installed):
    installed({}, record=False)
    with pytest.raises(InvalidInputError, match="has no RECORD"):
        discover_distribution("shop-kit", max_file_bytes=LIMIT_INSTALLED)


def test_an_editable_one_names_its_folder(installed):
    installed({}, direct_url__json=json.dumps({"url": "file:///srv/shop", "dir_info": {"editable": True}}))
    with pytest.raises(InvalidInputError, match="editable") as caught:
        discover_distribution("shop-kit", max_file_bytes=LIMIT_INSTALLED)
    assert caught.value.hint == "Index its folder instead: /srv/shop"
