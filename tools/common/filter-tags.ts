import { FFmpegError, FilterGraph, Frame } from "node-av/lib";

/**
 * What filters of FFmpeg write beside each frame, frame by frame.
 *
 * @param filters From the source on, without a sink: `amovie='film.mp4',silencedetect`.
 * @param kind Whether sound or pictures come out.
 */
export function* filterTags(filters: string, kind: "sound" | "picture"): Generator<Readonly<Record<string, string>>> {
  const name = `${kind === "sound" ? "abuffersink" : "buffersink"}@out`;
  using graph = new FilterGraph();
  graph.alloc();
  FFmpegError.throwIfError(graph.parsePtr(`${filters},${name}`));
  FFmpegError.throwIfError(graph.configSync());
  const sink = graph.getFilter(name);
  for (;;) {
    using frame = new Frame();
    frame.alloc();
    if (sink === null || sink.buffersinkGetFrameSync(frame) < 0) return;
    yield frame.getMetadata().getAll();
  }
}
