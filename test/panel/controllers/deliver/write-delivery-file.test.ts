import { expect, test } from "vitest";
import { writeDeliverySound } from "../../../../panel/controllers/deliver/write-delivery-file.ts";
import { firstDelivery, orderOf } from "../../../../panel/state/delivery-state.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import { readWaveHeader, waveLength } from "../../../../src/formats/wave/read-wave.ts";
import { waveHeader } from "../../../../src/formats/wave/write-wave.ts";
import { USUAL_LEADER_SECONDS } from "../../../../src/workflow/deliver/delivery-sound.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { SetClock } from "../../../fakes/set-clock.ts";
import { HeldPorts } from "../../held-ports.ts";
import { jobEntry } from "../../session-in-memory.ts";

const FORMAT = { sampleRate: 48_000, bits: 24, channels: 1, encoding: "integer", channelMask: 0 } as const;
/** Three samples of three bytes: behind them stands a byte that makes them even. */
const SAMPLES = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9]);
const HEAD = waveHeader({ format: FORMAT, sampleCount: 3 });
const SOURCE = Uint8Array.from([...HEAD, ...SAMPLES, 0]);

interface How {
  readonly order?: "oldest first" | "newest first";
  readonly failing?: number;
  /** Whether it is cancelled as soon as its file is open. */
  readonly isCancelled?: boolean;
}

/** Writes a sound behind a leader to a disk that takes its time, on which one of the calls may fail. */
async function written({ order = "oldest first", failing = -1, isCancelled = false }: How = {}) {
  const ports = new HeldPorts();
  const cancelling = new AbortController();
  const opened: string[] = [];
  let disk = new Uint8Array(0);
  let isClosed = false;
  const writer = {
    write: async (position: number, data: ArrayBuffer) => {
      const grown = new Uint8Array(Math.max(disk.length, position + data.byteLength));
      grown.set(disk);
      grown.set(new Uint8Array(data), position);
      disk = grown;
    },
    close: async () => {
      isClosed = true;
    },
  };
  const files = ports.wrap({
    size: async () => SOURCE.length,
    readBytes: async (_: string, position: number, length: number) => SOURCE.slice(position, position + length),
    openWriter: async (path: string) => {
      opened.push(path);
      if (isCancelled) cancelling.abort("cancelled");
      return ports.wrap(writer);
    },
  });
  const clock = new SetClock();
  // Between two pieces the panel is drawn.
  let left = 20;
  ports.whenIdle = async () => {
    await clock.pass(1);
    return --left > 0;
  };
  const shares: number[] = [];
  const { sequence, ...job } = jobEntry();
  const review = openReview(placedResult([]), { ...job, sequence: { ...sequence, startFrame: 90_000 } });
  const sound = { kind: "narration", path: "/n.wav", name: "n.wav", format: FORMAT, durationSeconds: 1 } as const;
  const writing = {
    environment: { clock, files, pathIn: (folder: string, name: string) => `${folder}/${name}` } as never,
    folder: "/delivered",
    signal: cancelling.signal,
    onProgress: (share: number) => void shares.push(share),
  };
  const delivery = { ...firstDelivery(review), hasLeader: true };
  const made: { name?: string; bytes?: number } = {};
  const error = await ports.settlesLast(
    async () => void Object.assign(made, await writeDeliverySound(writing, orderOf(review, delivery, 0), sound)),
    failing,
    order,
  );
  return { ports, error, opened, disk, isClosed, shares, made };
}

test("a sound of a delivery is on the disk to its last byte, its leader before it, and closed by the time that it is said", async () => {
  for (const order of ["oldest first", "newest first"] as const) {
    const { error, opened, disk, isClosed, shares, made } = await written({ order });
    expect([error, opened]).toEqual([null, [`/delivered/${made.name}`]]);
    const reading = readWaveHeader(disk);
    expect(reading.ok && waveLength(reading.layout, disk.length).samples).toBe(USUAL_LEADER_SECONDS * 48_000 + 3);
    expect([disk.length % 2, [...disk.slice(-10)]]).toEqual([0, [...SAMPLES, 0]]);
    expect([isClosed, made.bytes, shares]).toEqual([true, disk.length, [1]]);
  }
});

test("a sound of a delivery that cannot be written to its end is told, and is closed all the same", async () => {
  const { ports } = await written();
  expect(ports.calls.filter((call) => call === "write").length).toBeGreaterThan(USUAL_LEADER_SECONDS);
  for (const [index, call] of ports.calls.entries()) {
    const { error, isClosed, ports: again } = await written({ failing: index });
    expect(error, call).toMatchObject({ message: `${call} fails` });
    expect([again.left, isClosed], call).toEqual([[], ports.calls.indexOf("write") <= index]);
  }
});

test("a sound of a delivery that is cancelled is given up before its next piece, and closed", async () => {
  const { error, isClosed, disk } = await written({ isCancelled: true });
  expect([error, isClosed]).toEqual(["cancelled", true]);
  expect([...disk.slice(-SAMPLES.length - 1)]).not.toEqual([...SAMPLES, 0]);
});
