import type { Action, Marker, Markers } from "@adobe/premierepro";
import type { TrialProbe } from "../../host-error.ts";
import { listed } from "../answers.ts";
import { openSequence } from "../open-sequence.ts";
import { movePlayhead, readPlayhead, readPoints } from "../range-points.ts";
import { readSnapshot } from "../read-snapshot.ts";
import { keptText, readNote } from "../sequence-note.ts";
import type { MarkerSnapshot } from "../snapshot.ts";
import { secondsFromTicks, tickTime, UNSET_POINT_TICKS } from "../ticks.ts";
import type { ApplyContext } from "../transactor.ts";
import { type Bench, LABEL } from "./trial-bench.ts";

/** Name of every marker that is made to be looked at. */
const MARK = "Aside trial";

/** What a long comment is made of: letters of two, three and four bytes, and a line break. */
const LONG_COMMENT = "ä日😀\n".repeat(2000);

/** How many markers, and of what length a note, are tried at once. */
const MANY = 100;
const NOTE_LENGTH = 100_000;

/** What is tried with the notes, the markers, the playhead and the points of a sequence. */
export function sequenceTrials(bench: Bench): TrialProbe[] {
  const { premiere, clock } = bench.options;
  return [
    {
      name: "Record on a copy",
      code: "src/workflow/place/round-trip.ts panel/session/kept-record.ts",
      run: async (trial) => {
        const { reference } = (await bench.context(trial)).before;
        const own = await readNote(premiere, { ...reference, sequenceId: trial.originalId }, "record");
        const copied = await readNote(premiere, reference, "record");
        return own === null ? "the original has none" : copied === own ? "copied" : "not copied";
      },
    },
    {
      name: "Long note",
      code: "src/host/premiere/sequence-note.ts",
      run: async (trial) => {
        const { transactor, before } = await bench.context(trial);
        const { reference } = before;
        const note = { name: "trial", text: "ä".repeat(NOTE_LENGTH) };
        await transactor.run(LABEL, keptText(premiere, reference, note));
        const kept = await readNote(premiere, reference, note.name);
        await transactor.run(LABEL, keptText(premiere, reference, { ...note, text: "" }));
        const isGone = (await readNote(premiere, reference, note.name)) === null;
        return `${kept?.length ?? 0} of ${NOTE_LENGTH} characters kept; ${isGone ? "cleared" : "not cleared"}`;
      },
    },
    {
      name: "Marker times and comments",
      code: "src/host/premiere/apply-markers.ts src/core/cue.ts",
      run: async (trial) => {
        const context = await bench.context(trial);
        const { ticksPerFrame } = context.before;
        const [start, duration] = [ticksPerFrame * 3n + 7n, ticksPerFrame + 5n];
        await addMarks(context, 1, start, duration, LONG_COMMENT);
        const [made] = await marksOf(context);
        const left = await removeMarks(context);
        if (made === undefined) return "no marker was made";
        const { comments } = made;
        const off = `${made.start - start} and ${made.duration - duration} ticks off`;
        const kept = comments === LONG_COMMENT ? "kept" : `${comments.length} of ${LONG_COMMENT.length} kept`;
        return `start and length ${off}; comment ${kept}; identity ${made.hasGuid ? "there" : "none"}; ${left} left`;
      },
    },
    {
      name: "Marker identity over changes",
      code: "src/workflow/place/read-back.ts src/host/premiere/compare-markers.ts",
      run: async (trial) => {
        const context = await bench.context(trial);
        const { ticksPerFrame } = context.before;
        await addMarks(context, 1, ticksPerFrame * 5n);
        const [made] = await marksOf(context);
        await withMarkers(context, (markers, [marker], add) => {
          if (marker === undefined) return;
          add(markers.createMoveMarkerAction(marker, tickTime(premiere, ticksPerFrame * 9n)));
          add(marker.createSetCommentsAction("changed"));
        });
        const [moved] = await marksOf(context);
        await removeMarks(context);
        const isMoved = moved?.start === ticksPerFrame * 9n && moved.comments === "changed";
        return `${isMoved ? "moved and changed in one step" : "not changed"}; identity ${moved?.id === made?.id ? "kept" : "another"}`;
      },
    },
    {
      name: `${MANY} markers in one step`,
      code: "src/host/premiere/pace.ts",
      run: async (trial) => {
        const context = await bench.context(trial);
        const started = clock.now();
        await addMarks(context, MANY, 0n);
        const added = clock.now();
        const count = (await marksOf(context)).length;
        const read = clock.now();
        const left = await removeMarks(context);
        return `${count} in ${added - started} ms, read in ${read - added} ms; ${left} left`;
      },
    },
    {
      name: "Playhead",
      code: "src/host/premiere/range-points.ts",
      run: async (trial) => {
        const { before } = await bench.context(trial);
        const wanted = secondsFromTicks(before.ticksPerFrame * 3n);
        await movePlayhead(premiere, before.reference, wanted);
        const stands = await readPlayhead(premiere, before.reference);
        return stands === wanted ? "on its frame" : `${stands - wanted} s off`;
      },
    },
    {
      name: "In point behind the out point",
      code: "src/host/premiere/range-points.ts",
      run: async (trial) => {
        const { before, transactor } = await bench.context(trial);
        const { reference, ticksPerFrame } = before;
        const set = (kind: "in" | "out", ticks: bigint) =>
          transactor.run(LABEL, async () => (add, { sequence }) => {
            const time = tickTime(premiere, ticks);
            add(kind === "in" ? sequence.createSetInPointAction(time) : sequence.createSetOutPointAction(time));
          });
        await set("in", ticksPerFrame * 2n);
        await set("out", ticksPerFrame * 4n);
        await set("in", ticksPerFrame * 6n);
        const points = await readPoints({ premiere, reference, clock });
        const frame = (ticks: bigint) => (ticks === UNSET_POINT_TICKS ? "unset" : `frame ${ticks / ticksPerFrame}`);
        await set("in", before.inPoint ?? UNSET_POINT_TICKS);
        await set("out", before.outPoint ?? UNSET_POINT_TICKS);
        const after = await readPoints({ premiere, reference, clock });
        const isBack =
          after.in === (before.inPoint ?? UNSET_POINT_TICKS) && after.out === (before.outPoint ?? UNSET_POINT_TICKS);
        return `in ${frame(points.in)}, out ${frame(points.out)}; ${isBack ? "put back" : "not put back"}`;
      },
    },
  ];
}

async function marksOf({ premiere, before }: ApplyContext): Promise<readonly MarkerSnapshot[]> {
  return (await readSnapshot(premiere, before.reference)).markers.filter(({ name }) => name === MARK);
}

/** Changes our markers in one step. */
function withMarkers(
  { premiere, before, transactor }: ApplyContext,
  build: (markers: Markers, ours: readonly Marker[], add: (action: Action) => void) => void,
): Promise<void> {
  return transactor.run(LABEL, async () => {
    const { sequence } = await openSequence(premiere, before.reference);
    const markers = await premiere.Markers.getMarkers(sequence);
    const there = listed("Markers.getMarkers", await markers.getMarkers());
    const names = await Promise.all(there.map(async (marker) => marker.getName()));
    const ours = there.filter((_, index) => names[index] === MARK);
    return (add) => build(markers, ours, add);
  });
}

function addMarks(context: ApplyContext, count: number, start: bigint, duration = 0n, comment = ""): Promise<void> {
  const { premiere, before } = context;
  return withMarkers(context, (markers, _ours, add) => {
    for (let index = 0; index < count; index++) {
      const time = tickTime(premiere, start + BigInt(index) * before.ticksPerFrame);
      const type = premiere.Marker.MARKER_TYPE_COMMENT;
      add(markers.createAddMarkerAction(MARK, type, time, tickTime(premiere, duration), comment));
    }
  });
}

async function removeMarks(context: ApplyContext): Promise<number> {
  await withMarkers(context, (markers, ours, add) => {
    for (const marker of ours) add(markers.createRemoveMarkerAction(marker));
  });
  return (await marksOf(context)).length;
}
