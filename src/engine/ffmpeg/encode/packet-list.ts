import type { Packet } from "node-av/lib";

/** A packet of an encoder; its times in samples. */
interface ListedPacket {
  readonly sizeBytes: number;
  readonly pts: number;
  readonly duration: number;
}

/** Packets of an encoder as plain data, which can go to another thread. */
export interface ListedPackets {
  /** What they hold, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packets: readonly ListedPacket[];
}

/** Gathers packets of an encoder. */
export class PacketList {
  #data: Uint8Array[] = [];
  #packets: ListedPacket[] = [];

  /** Adds a copy of a packet. */
  add({ data, pts, duration }: Packet): void {
    // Its memory is FFmpeg's, and used again.
    const bytes = new Uint8Array(data ?? []);
    this.#data.push(bytes);
    this.#packets.push({ sizeBytes: bytes.length, pts: Number(pts), duration: Number(duration) });
  }

  /** Gives what was added since the last time. */
  take(): ListedPackets {
    const bytes = new Uint8Array(this.#packets.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
    let at = 0;
    for (const data of this.#data) {
      bytes.set(data, at);
      at += data.length;
    }
    const packets = this.#packets;
    this.#data = [];
    this.#packets = [];
    return { bytes, packets };
  }
}
