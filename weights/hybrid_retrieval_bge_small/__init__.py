"""The files of bge-small-en-v1.5: model.onnx with its tokenizer, and their sums."""
