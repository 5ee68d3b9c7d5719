import type { premierepro } from "@adobe/premierepro";
import { HostError } from "../host-error.ts";
import { ticksOf } from "./answers.ts";
import { openSequence } from "./open-sequence.ts";
import { readFacts } from "./read-snapshot.ts";
import type { SequenceReference } from "./snapshot.ts";
import { secondsFromTicks, ticksOnGrid } from "./ticks.ts";

/** Moves the playhead of a sequence to a time in seconds on the sequence clock, on the frame nearest to it. */
export async function movePlayhead(
  premiere: premierepro,
  reference: SequenceReference,
  seconds: number,
): Promise<void> {
  const { ticksPerFrame } = await readFacts(premiere, reference);
  const { sequence } = await openSequence(premiere, reference);
  const time = premiere.TickTime.createWithTicks(ticksOnGrid(Math.max(0, seconds), ticksPerFrame).toString());
  if (await sequence.setPlayerPosition(time)) return;
  throw new HostError("host_failed", "Premiere did not move the playhead. Click into the timeline, then try again.", {
    operation: "move the playhead",
    state: "nothing was changed",
    tried: ["Sequence.setPlayerPosition answered false"],
  });
}

/** Where the playhead of a sequence stands, in seconds on the sequence clock. */
export async function readPlayhead(premiere: premierepro, reference: SequenceReference): Promise<number> {
  const { sequence } = await openSequence(premiere, reference);
  return secondsFromTicks(await ticksOf(await sequence.getPlayerPosition()));
}
