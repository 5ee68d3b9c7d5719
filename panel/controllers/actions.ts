import type { Child, ElementNode } from "../document/element.ts";
import type { ServiceConnection } from "../session/connection.ts";
import type { Session } from "../session/session.ts";
import type { PanelState, ViewName } from "../state/panel-state.ts";
import type { ConformController } from "./conform/conform-controller.ts";
import type { ContactController } from "./contact-controller.ts";
import type { DeliverController } from "./deliver/deliver-controller.ts";
import type { FormController } from "./describe/form-controller.ts";
import type { GapController } from "./describe/gap-controller.ts";
import type { JobQueue } from "./describe/job-queue.ts";
import type { TextController } from "./describe/text-controller.ts";
import type { ModelsController } from "./models-controller.ts";
import type { PanelController } from "./panel-controller.ts";
import type { ApplyController } from "./place/apply-controller.ts";
import type { CopyController } from "./place/copy-controller.ts";
import type { DuckController } from "./place/duck-controller.ts";
import type { HeldCopyController } from "./place/held-copy-controller.ts";
import type { PlaceController } from "./place/place-controller.ts";
import type { AuditionController } from "./review/audition-controller.ts";
import type { BibleController } from "./review/bible-controller.ts";
import type { ProgrammeSoundController } from "./review/programme-sound-controller.ts";
import type { ReviewController } from "./review/review-controller.ts";
import type { SignOffController } from "./review/sign-off-controller.ts";
import type { WordingController } from "./review/wording-controller.ts";
import type { SettingsController } from "./settings-controller.ts";

/** What somebody adds to the panel: views of their own, or in place of the panel's. */
export interface PanelTools {
  readonly views: Readonly<Partial<Record<ViewName, (state: PanelState) => readonly Child[]>>>;
  /** Views with a tab, where they are not the panel's. */
  readonly tabs?: readonly ViewName[];
  /** What stands above the tabs, where it is not the panel's. */
  readonly header?: (state: PanelState) => ElementNode;
  /** Opens what was open when the page went; called once, when all is loaded. */
  readonly reopen?: () => Promise<void>;
  /** Ends with the panel. */
  close(): void;
}

/** What the views can do. What goes wrong in it is told at the foot of the panel. */
export interface Actions {
  readonly session: Session;
  readonly connection: ServiceConnection;
  readonly panelController: PanelController;
  readonly formController: FormController;
  readonly textController: TextController;
  readonly jobQueue: JobQueue;
  readonly gapController: GapController;
  readonly reviewController: ReviewController;
  readonly bibleController: BibleController;
  readonly applyController: ApplyController;
  readonly placeController: PlaceController;
  readonly copyController: CopyController;
  readonly duckController: DuckController;
  readonly heldCopyController: HeldCopyController;
  readonly conformController: ConformController;
  readonly signOffController: SignOffController;
  readonly wordingController: WordingController;
  readonly auditionController: AuditionController;
  readonly programmeSoundController: ProgrammeSoundController;
  readonly deliverController: DeliverController;
  readonly settingsController: SettingsController;
  readonly modelsController: ModelsController;
  readonly contactController: ContactController;
  /** What somebody adds; `null` where nobody does. */
  readonly tools: PanelTools | null;
}
