"""A small decoder-only transformer, and the exact law of its responses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call

from validation.training.tasks import Task

__all__ = ["Parameters", "ResponseLaw", "Transformer", "initial_parameters"]

Parameters = Mapping[str, Tensor]
_FLAT = 0.2  # responses start nearly equally likely


class Block(nn.Module):
    """Causal self-attention and a hidden layer, each behind a layer norm and a shortcut."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.attention_norm, self.hidden_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.mixed, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.hidden = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """From and to activations of shape (sequences, tokens, width)."""
        count, length, width = x.shape
        parts = self.mixed(self.attention_norm(x)).view(count, length, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        later = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        scores = query @ key.transpose(-1, -2) / key.shape[-1] ** 0.5
        weights = scores.masked_fill(later, -torch.inf).softmax(-1)
        attended = (weights @ value).transpose(1, 2).reshape(count, length, width)
        x = x + self.out(attended)
        return x + self.hidden(self.hidden_norm(x))


class Transformer(nn.Module):
    """Logits of the next token at every place of token sequences."""

    def __init__(
        self, vocabulary: int, length: int, *, width: int = 16, heads: int = 2, layers: int = 2
    ) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary)

    def forward(self, tokens: Tensor) -> Tensor:
        """From tokens of shape (sequences, tokens) to logits with an axis for the vocabulary."""
        places = self.places.weight[: tokens.shape[1]]
        logits: Tensor = self.head(self.norm(self.blocks(self.tokens(tokens) + places)))
        return logits


@dataclass(frozen=True)
class ResponseLaw:
    """The log-probability of every response to every prompt, as a function of the parameters.

    Responses have a fixed length, so their probabilities sum to 1 over all strings of digits; here
    they are conditioned on those that the task lists.
    """

    model: Transformer
    sequences: Tensor
    prompts: int
    response_length: int

    @classmethod
    def of(cls, task: Task, *, device: Any, dtype: torch.dtype, **shape: int) -> ResponseLaw:
        """A transformer with fresh weights, and every prompt joined to every response."""
        prompts, responses = torch.as_tensor(task.prompts), torch.as_tensor(task.responses)
        count, listed = len(prompts), len(responses)
        middle = torch.full((count * listed, 1), task.vocabulary - 1)
        joined = [prompts.repeat_interleave(listed, 0), middle, responses.repeat(count, 1)]
        sequences = torch.cat(joined, 1).to(device)
        model = Transformer(task.vocabulary, sequences.shape[1], **shape).to(device, dtype)
        return cls(model, sequences, count, responses.shape[1])

    def log_probabilities(self, parameters: Parameters) -> Tensor:
        """Shape (prompts, responses)."""
        logits = functional_call(self.model, dict(parameters), (self.sequences[:, :-1],))
        steps = logits[:, -self.response_length :].log_softmax(-1)
        chosen = self.sequences[:, -self.response_length :, None]
        total = steps.gather(-1, chosen).sum((1, 2)).view(self.prompts, -1)
        return total.log_softmax(-1)


def initial_parameters(law: ResponseLaw, generator: torch.Generator) -> dict[str, Tensor]:
    """Weights drawn from the generator alone: of spread 1 / sqrt(width), less before the logits."""
    drawn = {}
    for name, tensor in law.model.named_parameters():
        value = tensor.detach().clone()
        if value.ndim > 1:
            spread = value.shape[-1] ** -0.5 * (_FLAT if name == "head.weight" else 1.0)
            value = spread * torch.randn(value.shape, generator=generator, dtype=value.dtype)
        drawn[name] = value.to(tensor.device)
    return drawn
