import type { AudioComponentChain, Component, ComponentParam, Keyframe, TickTime } from "@adobe/premierepro";
import { checkArguments, markKind } from "./arguments.ts";
import type { Change } from "./machine.ts";
import type { LevelState, TrackItemState } from "./state.ts";
import { named, strictObject } from "./strict-object.ts";
import { ticksOf, tickTime } from "./time.ts";
import type { Stage } from "./world.ts";

/** The gain of 0 dB on the scale of the double: not 1, so that only ratios can be right. */
export const UNITY_GAIN = Math.fround(0.177_827_939);

/** A volume that nobody has touched. */
export const PLAIN_LEVEL: LevelState = { gain: UNITY_GAIN, isVarying: false, keyframes: [] };

/** A clip with a volume; one that nobody would tell from an untouched one has none of its own. */
export function withLevel(item: TrackItemState, level: LevelState): TrackItemState {
  const { level: _, ...plain } = item;
  const isPlain = !level.isVarying && level.keyframes.length === 0 && level.gain === UNITY_GAIN;
  return isPlain ? plain : { ...plain, level };
}

/** What a keyframe of the double was made with, and where it was put. */
interface KeyframeState {
  readonly value: number;
  position: bigint;
}

const keyframes = new WeakMap<object, KeyframeState>();

/** How a clip's volume is looked up and changed. */
export interface LevelAccess {
  readonly read: () => LevelState;
  readonly change: (edit: (level: LevelState, base: LevelState) => LevelState) => { projectId: string; change: Change };
}

/** The effects that every sound clip has: its volume, and that of its channels. */
export function audioComponents(stage: Stage, access: LevelAccess): AudioComponentChain {
  const { machine } = stage;
  const component = (name: string, params: readonly (() => ComponentParam)[]): Component => {
    const members = {
      getMatchName: () => machine.settle(() => name),
      getParamCount: () => params.length,
      getParam: (...given: [number?]) => {
        checkArguments("Component.getParam", given, { required: ["number"] });
        const param = params[given[0] ?? 0];
        if (param === undefined) throw new Error("Invalid parameter");
        return param();
      },
    } satisfies Partial<Component>;
    // Members that the double does not play raise an error when they are read.
    return machine.handle("Component", members) as unknown as Component;
  };
  const padding = () => {
    throw new Error("the double plays the level alone");
  };
  const components = [
    () => component("Internal Volume Stereo", [padding, () => levelParam(stage, access)]),
    () =>
      component(
        "Internal Channel Volume Stereo",
        Array.from({ length: 33 }, () => padding),
      ),
  ];
  const members = {
    getComponentCount: () => components.length,
    getComponentAtIndex: (...given: [number]) => {
      checkArguments("AudioComponentChain.getComponentAtIndex", given, { required: ["number"] });
      const component = components[given[0]];
      if (component === undefined) throw new Error("Invalid parameter");
      return component();
    },
  } satisfies Partial<AudioComponentChain>;
  // Members that the double does not play raise an error when they are read.
  return machine.handle("AudioComponentChain", members) as unknown as AudioComponentChain;
}

function levelParam({ machine }: Stage, { read, change }: LevelAccess): ComponentParam {
  const edit = (run: (level: LevelState, base: LevelState) => LevelState) => {
    const made = change(run);
    return machine.action(made.projectId, made.change, "parameters");
  };
  const members = {
    isTimeVarying: () => read().isVarying,
    getStartValue: () => machine.settle(() => keyframe(read().keyframes[0]?.value ?? read().gain, 0n)),
    getKeyframeListAsTickTimes: () => read().keyframes.map(({ at }) => tickTime(at)),
    getKeyframePtr: (...given: [TickTime?]) => {
      checkArguments("ComponentParam.getKeyframePtr", given, { required: ["TickTime"] });
      const at = given[0] === undefined ? 0n : ticksOf(given[0]);
      const found = read().keyframes.find((one) => one.at === at);
      if (found === undefined) throw new Error("Invalid parameter");
      return keyframe(found.value, at);
    },
    createKeyframe: (...given: [unknown]) => {
      checkArguments("ComponentParam.createKeyframe", given, { required: ["number"] });
      return keyframe(Number(given[0]), 0n);
    },
    createSetTimeVaryingAction: (...given: [boolean]) => {
      checkArguments("ComponentParam.createSetTimeVaryingAction", given, { required: ["boolean"] });
      // Without keyframes the value is that of the first of them: the one before is nobody's to know.
      return edit((level) => ({ gain: level.keyframes[0]?.value ?? level.gain, isVarying: given[0], keyframes: [] }));
    },
    createAddKeyframeAction: (...given: [Keyframe]) => {
      const { value, position } = stateOf(given[0]);
      return edit((level, base) => {
        // Seen live: time-varying must be committed before.
        if (!base.isVarying) throw new Error("the level does not vary over time");
        const others = level.keyframes.filter(({ at }) => at !== position);
        const all = [...others, { at: position, value: Math.fround(value) }];
        return { ...level, keyframes: all.sort((a, b) => (a.at < b.at ? -1 : 1)) };
      });
    },
    createSetValueAction: (...given: [Keyframe, boolean?]) => {
      const { value } = stateOf(given[0]);
      return edit((level, base) => {
        if (base.isVarying) throw new Error("the level varies over time");
        return { ...level, gain: Math.fround(value) };
      });
    },
  } satisfies Partial<ComponentParam>;
  // Members that the double does not play raise an error when they are read.
  return machine.handle("ComponentParam", members as object) as unknown as ComponentParam;
}

function stateOf(handle: object): KeyframeState {
  const state = keyframes.get(handle);
  if (state === undefined) throw new Error("Illegal Parameter type (not a keyframe)");
  return state;
}

/** A keyframe: its place can be set, and its value comes wrapped twice. */
function keyframe(value: number, position: bigint): Keyframe {
  const state: KeyframeState = { value, position };
  const members = strictObject("Keyframe", {
    value: { value: { value } },
    get position() {
      return tickTime(state.position);
    },
  });
  const handle = new Proxy(members, {
    set(_target, key, time) {
      if (key !== "position") throw new Error(`Keyframe.${String(key)} cannot be set`);
      state.position = ticksOf(time);
      return true;
    },
  }) as unknown as Keyframe;
  keyframes.set(handle, state);
  return markKind(named("Keyframe", handle), "Keyframe");
}
