import type { ProjectConverterStatic, Sequence } from "@adobe/premierepro";
import { checkArguments } from "./arguments.ts";
import { isRecent } from "./faults.ts";
import { sequenceIdentity } from "./sequences.ts";
import { strictObject } from "./strict-object.ts";
import type { Stage } from "./world.ts";

/** `ProjectConverter` as the module offers it: it writes a file that names the form and the sequence. AAF came with 26.3. */
export function converterStatic({ machine, world }: Stage): ProjectConverterStatic {
  const write = async (form: string, sequence: Sequence, path: string): Promise<boolean> => {
    const { projectId, sequenceId } = sequenceIdentity(sequence);
    const { name } = machine.sequence(projectId, sequenceId);
    await machine.settle(() => undefined);
    const { converters } = machine.faults;
    if (converters === "work") await world.save(path, `${form} of ${name}`);
    return converters !== "refuse";
  };
  const members = {
    exportAAF: (...given: [Sequence, string]) => {
      checkArguments("ProjectConverter.exportAAF", given, { required: ["Sequence", "string"] });
      return write("AAF", ...given);
    },
    exportAsOpenTimelineIO: (...given: [Sequence, string, boolean?]) => {
      const [sequence, path] = given;
      checkArguments("ProjectConverter.exportAsOpenTimelineIO", given, {
        required: ["Sequence", "string"],
        optional: ["boolean"],
      });
      return write("OTIO", sequence, path);
    },
    exportAsFinalCutProXML: (...given: [Sequence, string, boolean?]) => {
      const [sequence, path] = given;
      checkArguments("ProjectConverter.exportAsFinalCutProXML", given, {
        required: ["Sequence", "string"],
        optional: ["boolean"],
      });
      return write("XML", sequence, path);
    },
  } satisfies Partial<ProjectConverterStatic>;
  // Members that the double does not play raise an error when they are read.
  const isThere = (key: PropertyKey) => key !== "exportAAF" || isRecent(machine.faults);
  return strictObject("ProjectConverter", members, undefined, isThere) as unknown as ProjectConverterStatic;
}
