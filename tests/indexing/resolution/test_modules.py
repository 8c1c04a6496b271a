"""Which names a project's files can be imported as."""

from __future__ import annotations

from extraction.reading import extract_facts
from indexing.resolution.modules import ProjectModules


def modules(*paths):
    return ProjectModules("p", {path: extract_facts(path, "", "p") for path in paths})


def test_usual_roots_count():
    found = modules(
        "src/a/b.py", "services/x/pyproject.toml", "services/x/src/y.py", "deep/pkg/__init__.py", "deep/pkg/c.py"
    )
    assert found.find("a.b") == found.find("src.a.b") == ["src/a/b.py"]
    assert found.find("y") == ["services/x/src/y.py"]
    assert found.find("pkg.c") == ["deep/pkg/c.py"]
    assert found.find("pkg") == ["deep/pkg/__init__.py"]
    assert found.find("nothing") == []
    assert found.module_names["src/a/b.py"] == "a.b"


def test_a_folder_without_init_inside_a_package_is_no_root():
    found = modules("pkg/__init__.py", "pkg/data/sub/__init__.py")
    assert found.module_names["pkg/data/sub/__init__.py"] == "pkg.data.sub"


def test_of_several_the_nearest_is_meant():
    found = modules("a/setup.py", "a/app/db.py", "b/setup.py", "b/app/db.py")
    assert found.find("app.db") == ["a/app/db.py", "b/app/db.py"]
    assert found.find("app.db", "b/app/main.py") == ["b/app/db.py"]


def test_a_script_imports_what_lies_beside_it():
    found = modules("jobs/run.py", "jobs/tools.py")
    assert found.find("tools", "jobs/run.py") == ["jobs/tools.py"]
    assert found.find("tools") == []


def test_what_is_tests_or_documentation_is_not_public():
    assert modules("tests/a.py", "docs/conf.py", "src/shop/a.py").public_tops == {"shop"}


def test_files_of_other_kinds_are_no_modules():
    assert modules("a.md", "b.sql").module_names == {}
