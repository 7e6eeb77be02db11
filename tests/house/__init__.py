"""The rules of docs/house/design.md that a machine can hold."""
