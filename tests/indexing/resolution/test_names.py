"""Names followed to where they are defined."""

from __future__ import annotations

from extraction.reading import extract_facts
from indexing.resolution.modules import Place, ProjectModules
from indexing.resolution.names import Meaning, Names


def names(organisation):
    return Names(
        {
            project: ProjectModules(project, {path: extract_facts(path, text, project) for path, text in files.items()})
            for project, files in organisation.items()
        }
    )


def test_from_here_import_name_inside_a_package_is_the_submodule():
    found = names(
        {"p": {"pkg/__init__.py": "from . import abc as abc\n", "pkg/abc.py": "class A: ...\n", "m.py": "import pkg\n"}}
    )
    assert found.meanings("p", "m.py", "pkg.abc.A") == (Meaning(Place("p", "pkg/abc.py", "A"), 1),)


def test_import_of_a_submodule_binds_the_first_name_its_alias_the_last(graph):
    files = {"pkg/__init__.py": "", "pkg/sub.py": "def f(): ...\n", "m.py": "import pkg.sub\nimport pkg.sub as s\n"}
    found = names({"p": files})
    target = Place("p", "pkg/sub.py", "f")
    assert found.meanings("p", "m.py", "pkg.sub.f") == (Meaning(target, 1),)
    assert found.meanings("p", "m.py", "s.f") == (Meaning(target, 2),)


def test_re_exports_of_another_project_are_followed_in_it_alone():
    organisation = {
        "a": {"a.py": "from b import thing, other\n"},
        "b": {"b/__init__.py": "from c import thing\nfrom b.inner import other\n", "b/inner.py": "def other(): ...\n"},
        "c": {"c/__init__.py": "def thing(): ...\n"},
    }
    found = names(organisation)
    assert found.imported("a", "a.py", "b", "other") == [Meaning(Place("b", "b/inner.py", "other"))]
    assert found.imported("a", "a.py", "b", "thing") == [Meaning(Place("b", "b/__init__.py"), indirect=True)]
    assert found.imported("a", "a.py", "b", "nothing") == [Meaning(Place("b", "b/__init__.py"), missing=True)]


def test_a_name_that_several_projects_have_leads_to_each():
    organisation = {name: {"lib_x/__init__.py": "def f(): ...\n"} for name in ("one", "two")}
    found = names({**organisation, "user": {"m.py": "from lib_x import f\n"}})
    assert [m.place.project for m in found.meanings("user", "m.py", "f")] == ["one", "two"]


def test_the_own_project_comes_first_and_the_standard_library_is_nobodys():
    organisation = {
        "a": {"m.py": "import json, shared\n", "shared.py": ""},
        "b": {"json.py": "def loads(): ...\n", "shared.py": ""},
    }
    found = names(organisation)
    assert found.meanings("a", "m.py", "json") == ()
    assert found.meanings("a", "m.py", "shared") == (Meaning(Place("a", "shared.py"), 1),)


def test_star_imports_in_a_circle_end():
    files = {
        "a.py": "from b import *\n",
        "b.py": "from a import *\nfrom c import *\n",
        "c.py": "def f(): ...\n_x = 1\n",
    }
    found = names({"p": {**files, "m.py": "from a import f, _x, g\n"}})
    assert found.meanings("p", "m.py", "f") == (Meaning(Place("p", "c.py", "f"), 1),)
    assert found.meanings("p", "m.py", "g") == ()
    assert found.meanings("p", "m.py", "_x") == ()
