import type { SourceMonitorStatic } from "@adobe/premierepro";
import { checkArguments } from "./arguments.ts";
import { strictObject } from "./strict-object.ts";
import type { Stage } from "./world.ts";

/** `SourceMonitor` as the module offers it: opens files that are sound or picture, and plays what is open. */
export function sourceMonitorStatic({ machine, world }: Stage): SourceMonitorStatic {
  let isOpen = false;
  const members = {
    openFilePath: async (...given: [string]) => {
      checkArguments("SourceMonitor.openFilePath", given, { required: ["string"] });
      isOpen = (await world.probe(given[0])) !== null;
      return machine.settle(() => isOpen);
    },
    play: (...given: [number?]) => {
      checkArguments("SourceMonitor.play", given, { required: [], optional: ["number"] });
      return machine.settle(() => isOpen);
    },
  } satisfies Partial<SourceMonitorStatic>;
  // Members that the double does not play raise an error when they are read.
  return strictObject("SourceMonitor", members) as unknown as SourceMonitorStatic;
}
