/** A small picture as it comes from the decoder, see `SmallPicture`. */
export interface MeasuredPicture {
  readonly width: number;
  readonly height: number;
  readonly luma: Uint8Array;
  readonly blue: Uint8Array;
  readonly red: Uint8Array;
  readonly isFullRange: boolean;
}
