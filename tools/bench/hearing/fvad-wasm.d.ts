// The part of the WebRTC voice activity detector that the hearing bench uses.
declare module "@echogarden/fvad-wasm" {
  /** Address in the module's memory. */
  type Pointer = number;

  interface Fvad {
    readonly HEAP16: Int16Array;
    readonly _malloc: (bytes: number) => Pointer;
    readonly _free: (address: Pointer) => void;
    readonly _fvad_new: () => Pointer;
    readonly _fvad_free: (detector: Pointer) => void;
    /** Mode 0 (least eager to reject) to 3. */
    readonly _fvad_set_mode: (detector: Pointer, mode: number) => number;
    readonly _fvad_set_sample_rate: (detector: Pointer, hertz: number) => number;
    /** 1 for speech, 0 for none, -1 for a frame of a wrong length. */
    readonly _fvad_process: (detector: Pointer, frame: Pointer, samples: number) => number;
  }

  const load: () => Promise<Fvad>;
  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default load;
}
