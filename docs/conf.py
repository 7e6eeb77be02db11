"""How Sphinx builds the site: ``make docs``."""

from importlib.resources import files

from rolltheory import __version__

project = "rolltheory"
author = "The rolltheory authors"
copyright = author
release = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery"]
html_theme = "furo"
html_static_path = [str(files("mathjax") / "static/mathjax/es5/tex-svg-full.js")]
mathjax_path = "tex-svg-full.js"  # one file without fonts: formulas are set offline too
html_title = f"rolltheory {release}"

myst_enable_extensions = ["amsmath", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "none"  # numpydoc's sections tell the types in words
numpydoc_show_class_members = False

# Names of other packages would need their inventories from the network; ours must all resolve.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!rolltheory\b).*")]

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "gallery_built",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
}
