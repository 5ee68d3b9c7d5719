import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSwitchedOn } from "../../core/switch-word.ts";
import type { Environment } from "../environment.ts";
import {
  type HardwareDecoder,
  HardwareFailure,
  type OpenHardware,
} from "../ffmpeg/decode/hardware/hardware-decoder.ts";
import { openPlatformDecoder } from "../ffmpeg/decode/hardware/platform-decoder.ts";

/** Which decoder makes a job's picture: hardware where it is switched on, and why not where it failed. For the log. */
export class HardwareDecoding {
  /** `undefined` where hardware is not to be tried. */
  readonly open: OpenHardware | undefined;
  #used = "software";

  private constructor(open: OpenHardware | undefined) {
    this.open = open && ((stream) => this.#noted(open(stream)));
  }

  /**
   * What `ASIDE_HARDWARE_DECODING` says, for one attempt at a job. A driver may take the job's process down: the attempts
   * after it do without.
   *
   * @param workFolder Folder of the job, in which an attempt leaves its mark.
   */
  static async forAttempt(
    environment: Environment,
    workFolder: string,
    open: OpenHardware = openPlatformDecoder,
  ): Promise<HardwareDecoding> {
    if (isSwitchedOn(environment["ASIDE_HARDWARE_DECODING"] ?? "") !== true) return new HardwareDecoding(undefined);
    const isFirst = await writeFile(join(workFolder, "hardware-tried"), "", { flag: "wx" }).then(
      () => true,
      () => false,
    );
    return new HardwareDecoding(isFirst ? open : afterCrash);
  }

  /** Which decoder it is, as the log says it. */
  get used(): string {
    return this.#used;
  }

  /** Notes why software does it. */
  failed({ message }: HardwareFailure): void {
    this.#used = `software, because ${message}`;
  }

  #noted(decoder: HardwareDecoder): HardwareDecoder {
    this.#used = decoder.name;
    return decoder;
  }
}

function afterCrash(): never {
  throw new HardwareFailure("an earlier attempt at this job, which tried hardware, did not end well");
}
