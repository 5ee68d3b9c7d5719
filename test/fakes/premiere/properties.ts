import type { Project, Properties, PropertiesStatic, Sequence } from "@adobe/premierepro";
import { anyOf, checkArguments, constantOf, kindOf } from "./arguments.ts";
import { sequenceIdentity } from "./sequences.ts";
import { withSequence } from "./state.ts";
import { strictObject } from "./strict-object.ts";
import type { Stage } from "./world.ts";

/** `Properties` as the module offers it; the double keeps them for sequences. */
export function propertiesStatic(stage: Stage): PropertiesStatic {
  return strictObject("Properties", {
    PROPERTY_PERSISTENT: stage.constants.PropertyType.PERSISTENT,
    PROPERTY_NON_PERSISTENT: stage.constants.PropertyType.NON_PERSISTENT,
    getProperties: (...given: [Project | Sequence]) => {
      checkArguments("Properties.getProperties", given, { required: [anyOf("Project", "Sequence")] });
      if (kindOf(given[0]) !== "Sequence") throw new Error("the double keeps no properties of projects");
      // Checked above: the handle's kind is Sequence.
      const { projectId, sequenceId } = sequenceIdentity(given[0] as Sequence);
      return stage.machine.settle(() => propertiesOf(stage, projectId, sequenceId));
    },
  });
}

function propertiesOf(stage: Stage, projectId: string, sequenceId: string): Properties {
  const { machine, constants } = stage;
  const values = () => machine.sequence(projectId, sequenceId).properties;
  const read = (name: string): string | number | boolean => {
    const value = values().get(name);
    if (value === undefined) throw new Error(`no property ${name}`);
    return value;
  };
  const edit = (change: (properties: Map<string, string | number | boolean>) => void) =>
    machine.action(projectId, (draft) => {
      const sequence = draft.sequences.get(sequenceId);
      if (sequence === undefined) throw new Error("The script object is no longer valid");
      const properties = new Map(sequence.properties);
      change(properties);
      return withSequence(draft, { ...sequence, properties });
    });
  const named = (member: string, given: readonly unknown[]) =>
    checkArguments(`Properties.${member}`, given, { required: ["string"] });
  const members: Properties = {
    hasValue: (...given) => {
      named("hasValue", given);
      return values().has(given[0]);
    },
    getValue: (...given) => {
      named("getValue", given);
      return String(read(given[0]));
    },
    getValueAsInt: (...given) => {
      named("getValueAsInt", given);
      return Math.trunc(Number(read(given[0])));
    },
    getValueAsFloat: (...given) => {
      named("getValueAsFloat", given);
      return Number(read(given[0]));
    },
    getValueAsBool: (...given) => {
      named("getValueAsBool", given);
      return read(given[0]) === true;
    },
    createSetValueAction: (...given) => {
      checkArguments("Properties.createSetValueAction", given, {
        required: ["string", anyOf("string", "number", "boolean"), constantOf(constants.PropertyType)],
      });
      const [name, value] = given;
      // Emptying a value by writing nothing is not documented; there is an action that clears it.
      if (value === "") throw new Error("Illegal Parameter type (Properties.createSetValueAction: empty)");
      return edit((properties) => properties.set(name, value));
    },
    createClearValueAction: (...given) => {
      named("createClearValueAction", given);
      return edit((properties) => properties.delete(given[0]));
    },
  };
  return machine.handle("Properties", members);
}
