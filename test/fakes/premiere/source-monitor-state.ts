/** What the source monitor shows, for tests to look at and to set. */
export class SourceMonitorState {
  /** What is open: a file by its path, or an item of the project. Whatever is opened takes the place of it. */
  open: { readonly path: string } | { readonly projectId: string; readonly itemId: string } | null = null;
  /** Where the shown one stands, in ticks. */
  position = 0n;
  isPlaying = false;
  /** Files that were heard. A file that was played before it was ready is not among them. */
  readonly heard: string[] = [];
  /** The time in milliseconds; a double that is not told of it takes every file to be ready. */
  now: () => number = () => Number.POSITIVE_INFINITY;
  /** Called when a file is heard, and when it is stopped. */
  onPlay: (path: string) => void = () => undefined;
  onStop: () => void = () => undefined;
  openedAt = 0;
  playedAt = 0;

  /** Whether a file is held open: Windows refuses to remove it. */
  holds(path: string): boolean {
    return this.open !== null && "path" in this.open && this.open.path === path;
  }
}
