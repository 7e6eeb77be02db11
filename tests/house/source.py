"""The house as syntax trees, of this repository or of a made-up one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("rolltheory", "proofs_checks", "simulators", "validation")
SHARED = {"claims", "cli", "numerics", "plots", "readers", "report", "stats", "testing"}
"""What lies in rolltheory/ beside the theories."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One source file."""

    name: str
    path: Path
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def exported(self) -> list[str] | None:
        """What ``__all__`` lists; None without one."""
        for node in self.tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                if ast.unparse(target) == "__all__":
                    return list(ast.literal_eval(node.value))
        return None

    @property
    def definitions(self) -> dict[str, Function | ast.ClassDef]:
        """Functions and classes at the top."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return {node.name: node for node in self.tree.body if isinstance(node, kinds)}

    def imports(self) -> Iterator[tuple[int, str]]:
        """(line, dotted name) of every import, those inside functions too."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                origin = self._origin(node)
                yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)

    def _origin(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        depth = node.level - (self.path.name == "__init__.py")
        parents = self.name.split(".")[: -depth or None]
        return ".".join([*parents, node.module] if node.module else parents)


@dataclass(frozen=True)
class House:
    """All modules below a root folder."""

    root: Path

    @cached_property
    def modules(self) -> tuple[Module, ...]:
        paths = (path for package in PACKAGES for path in (self.root / package).rglob("*.py"))
        return tuple(
            Module(self._dotted(path), path, path.read_text("utf-8")) for path in sorted(paths)
        )

    @cached_property
    def theories(self) -> frozenset[str]:
        """Packages in rolltheory/ that are no shared home."""
        packages = {init.parent.name for init in (self.root / "rolltheory").glob("*/__init__.py")}
        return frozenset(packages - SHARED)

    def _dotted(self, path: Path) -> str:
        parts = path.relative_to(self.root).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
