/** Small pictures of moments of a programme: plain data, sent to a child process. */
export interface MomentsOrder {
  /** Folder of the media, in which an earlier job left its analysis. */
  readonly mediaFolder: string;
  /** Seconds on the programme clock. */
  readonly at: readonly number[];
  /** Width of the pictures in pixels; smaller ones stay as they are. */
  readonly width: number;
}

/** A small picture and the time that it is of. */
export interface MomentPicture {
  /** The time that was asked for. */
  readonly at: number;
  /** The time of the key frame, in seconds on the programme clock. */
  readonly time: number;
  readonly width: number;
  readonly height: number;
  readonly jpeg: Uint8Array;
}
