import { FFmpegError, type FilterContext, FilterGraph, type Frame } from "node-av/lib";
import { MediaProcessError, type MediaProcessErrorCode } from "../media-process-error.ts";

/** A chain of filters for frames of one format; another format needs another one. */
export interface PictureGraph {
  /** Format of the frames it takes, as {@link pictureFormat} gives it. */
  readonly format: string;
  readonly graph: FilterGraph;
  readonly input: FilterContext;
  readonly output: FilterContext;
}

/** What a graph has to know of the frames that it takes. */
export function pictureFormat({ width, height, format }: Frame): string {
  return `width=${width}:height=${height}:pix_fmt=${format}`;
}

/**
 * Opens a graph of filters in a row. The caller frees `graph`.
 *
 * @param timeBase Unit of the frames' times, such as `1/1000` of a second.
 * @param failure What is raised when it cannot be opened.
 * @throws MediaProcessError when FFmpeg has no way from the format.
 */
export function openPictureGraph(
  format: string,
  timeBase: string,
  filters: readonly string[],
  failure: readonly [code: MediaProcessErrorCode, message: string],
): PictureGraph {
  const graph = new FilterGraph();
  graph.alloc();
  const chain = [`buffer@in=${format}:time_base=${timeBase}`, ...filters, "buffersink@out"];
  try {
    FFmpegError.throwIfError(graph.parsePtr(chain.join(",")));
    FFmpegError.throwIfError(graph.configSync());
  } catch (cause) {
    graph.free();
    throw new MediaProcessError(...failure, { cause });
  }
  const [input, output] = [graph.getFilter("buffer@in"), graph.getFilter("buffersink@out")];
  if (input === null || output === null) throw new MediaProcessError(...failure);
  return { format, graph, input, output };
}
