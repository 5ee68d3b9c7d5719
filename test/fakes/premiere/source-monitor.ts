import type { ProjectItem, SourceMonitorStatic, TickTime } from "@adobe/premierepro";
import { checkArguments } from "./arguments.ts";
import { isRecent } from "./faults.ts";
import { itemIdentity } from "./project-items.ts";
import type { SourceMonitorState } from "./source-monitor-state.ts";
import { strictObject } from "./strict-object.ts";
import { ticksOf, tickTime } from "./time.ts";
import type { Stage } from "./world.ts";

/** How long a file takes to be ready after it was opened: played sooner, nothing is heard. In milliseconds. */
const READY_MS = 150;

/** `SourceMonitor` as the module offers it: opens files and items, plays what is shown, imports nothing. */
export function sourceMonitorStatic(
  { machine, world, sourceMonitor }: Stage,
  rawItem: (projectId: string, itemId: string) => ProjectItem,
): SourceMonitorStatic {
  const stop = () => {
    if (sourceMonitor.isPlaying) sourceMonitor.onStop();
    sourceMonitor.isPlaying = false;
  };
  const show = (opened: NonNullable<SourceMonitorState["open"]>) => {
    stop();
    sourceMonitor.open = opened;
    sourceMonitor.position = 0n;
    sourceMonitor.openedAt = sourceMonitor.now();
    return true;
  };
  const members = {
    openFilePath: async (...given: [string]) => {
      checkArguments("SourceMonitor.openFilePath", given, { required: ["string"] });
      const isMedia = (await world.probe(given[0])) !== null;
      return machine.settle(() => isMedia && machine.faults.sourceMonitor === "works" && show({ path: given[0] }));
    },
    openProjectItem: (...given: [ProjectItem]) => {
      checkArguments("SourceMonitor.openProjectItem", given, { required: ["ProjectItem"] });
      const identity = itemIdentity(given[0]);
      return machine.settle(() => show(identity));
    },
    getProjectItem: () =>
      machine.settle(() => {
        const one = sourceMonitor.open;
        // The vendor's types leave out that a file, and nothing, have no item.
        return one !== null && "itemId" in one ? rawItem(one.projectId, one.itemId) : (null as unknown as ProjectItem);
      }),
    closeClip: () =>
      machine.settle(() => {
        stop();
        const isOpen = sourceMonitor.open !== null;
        sourceMonitor.open = null;
        sourceMonitor.position = 0n;
        return isOpen;
      }),
    getPosition: () => machine.settle(() => tickTime(sourceMonitor.position + played(sourceMonitor))),
    setPosition: (...given: [TickTime]) => {
      checkArguments("SourceMonitor.setPosition", given, { required: ["TickTime"] });
      const position = ticksOf(given[0]);
      return machine.settle(() => {
        sourceMonitor.position = position;
        return true;
      });
    },
    play: (...given: [number?]) => {
      checkArguments("SourceMonitor.play", given, { required: [], optional: ["number"] });
      return machine.settle(() => {
        const one = sourceMonitor.open;
        if (one === null) return false;
        if (given[0] === 0) stop();
        else if ("path" in one && isReady(sourceMonitor)) {
          sourceMonitor.isPlaying = true;
          sourceMonitor.playedAt = sourceMonitor.now();
          sourceMonitor.heard.push(one.path);
          sourceMonitor.onPlay(one.path);
        }
        // True is the answer even where nothing is heard.
        return true;
      });
    },
  } satisfies Partial<SourceMonitorStatic>;
  // Members that the double does not play raise an error when they are read.
  const isThere = (key: PropertyKey) => key !== "setPosition" || isRecent(machine.faults);
  return strictObject("SourceMonitor", members, undefined, isThere) as unknown as SourceMonitorStatic;
}

/** How far what plays has moved on, in ticks; nothing for a double that knows no time. */
function played({ isPlaying, now, playedAt }: SourceMonitorState): bigint {
  return isPlaying && Number.isFinite(now()) ? BigInt(Math.round(now() - playedAt)) * 254_016_000n : 0n;
}

function isReady({ now, openedAt }: SourceMonitorState): boolean {
  return !Number.isFinite(now()) || now() - openedAt >= READY_MS;
}
