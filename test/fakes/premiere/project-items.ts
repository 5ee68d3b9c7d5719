import type {
  ClipProjectItem, ClipProjectItemStatic, FolderItem, FolderItemStatic, Project, ProjectItem, ProjectItemStatic,
  Sequence,
} from "@adobe/premierepro"; // biome-ignore format: a list
import { anyOf, checkArguments } from "./arguments.ts";
import {
  type BinState,
  type ClipState,
  type ItemState,
  isRefused,
  type ProjectState,
  withItem,
  withSequence,
} from "./state.ts";
import { strictObject } from "./strict-object.ts";
import { tickTime } from "./time.ts";
import { longPath } from "./windows-path.ts";
import type { Stage } from "./world.ts";

/** What `ProjectItem.type` reports, opaque to callers. */
const ITEM_TYPES = { TYPE_CLIP: 41, TYPE_BIN: 42, TYPE_ROOT: 43, TYPE_FILE: 44, TYPE_STYLE: 45, TYPE_COMPOUND: 46 };

const identities = new WeakMap<object, { readonly projectId: string; readonly itemId: string }>();

/** Which item of which project a handle stands for. */
export function itemIdentity(handle: object): { readonly projectId: string; readonly itemId: string } {
  const identity = identities.get(handle);
  if (identity === undefined) throw new Error("Illegal Parameter type (not a project item)");
  return identity;
}

/** Makes the objects of the project panel. */
export class ProjectItems {
  readonly #stage: Stage;
  readonly #projectHandle: (projectId: string) => Project;
  readonly #sequenceHandle: (projectId: string, sequenceId: string) => Sequence;

  constructor(
    stage: Stage,
    projectHandle: (projectId: string) => Project,
    sequenceHandle: (projectId: string, sequenceId: string) => Sequence,
  ) {
    this.#stage = stage;
    this.#projectHandle = projectHandle;
    this.#sequenceHandle = sequenceHandle;
  }

  /** The raw item, as lists give it. */
  raw(projectId: string, itemId: string): ProjectItem {
    const { machine } = this.#stage;
    const state = () => this.#item(projectId, itemId);
    const members = {
      getId: () => state().id,
      getParentBin: () => {
        const parentId = state().parentId;
        if (parentId === null) throw new Error("the root has no parent bin");
        return this.folder(projectId, parentId);
      },
      getProject: () => machine.settle(() => this.#projectHandle(projectId)),
      get type() {
        const item = state();
        if (item.kind === "clip") return ITEM_TYPES.TYPE_CLIP;
        return item.parentId === null ? ITEM_TYPES.TYPE_ROOT : ITEM_TYPES.TYPE_BIN;
      },
      get name() {
        return state().name;
      },
      createSetNameAction: (...given: [string]) => {
        checkArguments("ProjectItem.createSetNameAction", given, { required: ["string"] });
        return machine.action(projectId, (draft, base) => renamed(draft, found(base, itemId), given[0]));
      },
    } satisfies Partial<ProjectItem>;
    // Members that the double does not play raise an error when they are read.
    return this.#remember(machine.handle("ProjectItem", members) as unknown as ProjectItem, projectId, itemId);
  }

  /** An item as a bin. */
  folder(projectId: string, itemId: string): FolderItem {
    const { machine } = this.#stage;
    const state = () => this.#item(projectId, itemId);
    const members = {
      getItems: () =>
        machine.settle(() => {
          const children = [...machine.project(projectId).items.values()].filter((item) => item.parentId === itemId);
          return children.map((item) => this.raw(projectId, item.id));
        }),
      createBinAction: (...given: [string, boolean]) => {
        checkArguments("FolderItem.createBinAction", given, { required: ["string", "boolean"] });
        const bin: BinState = { kind: "bin", id: machine.newId("item"), name: given[0], parentId: itemId };
        return machine.action(projectId, (draft, base) => {
          found(base, itemId);
          return withItem(draft, { ...bin, name: given[1] ? uniqueName(base, itemId, given[0]) : given[0] });
        });
      },
      createRemoveItemAction: (...given: [ProjectItem]) => {
        checkArguments("FolderItem.createRemoveItemAction", given, { required: ["ProjectItem"] });
        const removed = itemIdentity(given[0]).itemId;
        return machine.action(projectId, (draft, base) => {
          found(base, removed);
          const items = new Map(draft.items);
          items.delete(removed);
          return { ...draft, items };
        });
      },
      getProject: () => machine.settle(() => this.#projectHandle(projectId)),
      type: ITEM_TYPES.TYPE_BIN,
      get name() {
        return state().name;
      },
    } satisfies Partial<FolderItem>;
    // Members that the double does not play raise an error when they are read.
    return this.#remember(machine.handle("FolderItem", members) as unknown as FolderItem, projectId, itemId);
  }

  /** An item as a clip. */
  clip(projectId: string, itemId: string): ClipProjectItem {
    const { machine } = this.#stage;
    const state = () => {
      const item = this.#item(projectId, itemId);
      if (item.kind !== "clip") throw new Error("not a clip");
      return item;
    };
    const members = {
      // The path is told for media that is offline, too.
      getMediaFilePath: () =>
        machine.settle(() => {
          const { platform, mediaPaths, unicodeForm } = machine.faults;
          const path = state().mediaPath.normalize(unicodeForm);
          return platform === "Windows" && mediaPaths === "long" ? longPath(path) : path;
        }),
      isOffline: () =>
        machine.settle(() => {
          if (isRefused(state())) throw new Error("Invalid parameter");
          return state().isOffline;
        }),
      isMulticamClip: () => machine.settle(() => false),
      isSequence: () => machine.settle(() => state().sequenceId !== undefined),
      getSequence: () => machine.settle(() => this.#sequenceOf(projectId, state())),
      getMedia: () =>
        machine.settle(() =>
          strictObject("Media", {
            start: tickTime(0n),
            duration: tickTime(state().durationTicks),
            createSetStartAction: () => {
              throw new Error("the double does not move media");
            },
          }),
        ),
      get type() {
        return ITEM_TYPES.TYPE_CLIP;
      },
      get name() {
        return state().name;
      },
    } satisfies Partial<ClipProjectItem>;
    // Members that the double does not play raise an error when they are read.
    const handle = machine.handle("ClipProjectItem", members) as unknown as ClipProjectItem;
    return this.#remember(handle, projectId, itemId);
  }

  /** `ProjectItem` as the module offers it. */
  itemStatic(): ProjectItemStatic {
    return strictObject("ProjectItem", {
      ...ITEM_TYPES,
      cast: (...given: [FolderItem | ClipProjectItem]) => {
        checkArguments("ProjectItem.cast", given, {
          required: [anyOf("FolderItem", "ClipProjectItem", "ProjectItem")],
        });
        const { projectId, itemId } = itemIdentity(given[0]);
        return this.raw(projectId, itemId);
      },
    });
  }

  /** `FolderItem` as the module offers it. */
  folderStatic(): FolderItemStatic {
    return strictObject("FolderItem", {
      cast: (...given: [ProjectItem]) => {
        checkArguments("FolderItem.cast", given, { required: [anyOf("ProjectItem", "FolderItem")] });
        const { projectId, itemId } = itemIdentity(given[0]);
        if (this.#item(projectId, itemId).kind !== "bin") return this.#wrongCast<FolderItem>();
        return this.folder(projectId, itemId);
      },
    });
  }

  /** `ClipProjectItem` as the module offers it. */
  clipStatic(): ClipProjectItemStatic {
    return strictObject("ClipProjectItem", {
      cast: (...given: [ProjectItem]) => {
        checkArguments("ClipProjectItem.cast", given, { required: [anyOf("ProjectItem", "ClipProjectItem")] });
        const { projectId, itemId } = itemIdentity(given[0]);
        if (this.#item(projectId, itemId).kind !== "clip") return this.#wrongCast<ClipProjectItem>();
        return this.clip(projectId, itemId);
      },
    });
  }

  #wrongCast<Item>(): Item {
    if (this.#stage.machine.faults.wrongCast === "throws") throw new Error("Invalid parameter");
    // The vendor's types leave out that a wrong cast gives nothing.
    return null as unknown as Item;
  }

  #sequenceOf(projectId: string, clip: ClipState): Sequence {
    // The vendor's types leave out that media has no sequence.
    if (clip.sequenceId === undefined) return null as unknown as Sequence;
    return this.#sequenceHandle(projectId, clip.sequenceId);
  }

  #item(projectId: string, itemId: string): ItemState {
    return found(this.#stage.machine.project(projectId), itemId);
  }

  #remember<Handle extends object>(handle: Handle, projectId: string, itemId: string): Handle {
    identities.set(handle, { projectId, itemId });
    return handle;
  }
}

/** A sequence has the name of its item, cut off behind the last dot. */
function renamed(draft: ProjectState, item: ItemState, name: string): ProjectState {
  const project = withItem(draft, { ...item, name });
  const sequence =
    item.kind === "clip" && item.sequenceId !== undefined ? draft.sequences.get(item.sequenceId) : undefined;
  return sequence === undefined ? project : withSequence(project, { ...sequence, name: name.replace(/\.[^.]*$/, "") });
}

function found(project: ProjectState, itemId: string): ItemState {
  const item = project.items.get(itemId);
  if (item === undefined) throw new Error("The script object is no longer valid");
  return item;
}

function uniqueName(project: ProjectState, parentId: string, name: string): string {
  const taken = new Set([...project.items.values()].filter((item) => item.parentId === parentId).map((i) => i.name));
  if (!taken.has(name)) return name;
  let number = 1;
  while (taken.has(`${name} ${String(number).padStart(2, "0")}`)) number += 1;
  return `${name} ${String(number).padStart(2, "0")}`;
}
