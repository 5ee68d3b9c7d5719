/** An export preset on disk. */
export interface PresetFile {
  /** What it is called in a list. */
  readonly name: string;
  /** Native path, with the system's own separators: the host opens it itself. */
  readonly path: string;
  /** Ours, the host's own, or one that the user chose. */
  readonly origin: "ours" | "system" | "user";
  /** `false` until someone has exported with it in a real host. */
  readonly isProven: boolean;
  /** Bits per second of what it makes, picture and sound together; absent where it states none. */
  readonly bitsPerSecond?: number;
}

/** Which presets there are, the preferred one first. */
export interface PresetSource {
  list(): Promise<readonly PresetFile[]>;
  /** Remembers that an export has succeeded with the preset of a path. */
  worked?(path: string): Promise<void>;
}
