"""The files of the default model: model.onnx with its tokenizer, and their sums."""
