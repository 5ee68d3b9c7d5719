import type { Actions } from "../panel/controllers/actions.ts";
import type { ElementNode } from "../panel/document/element.ts";
import type { PanelState } from "../panel/state/panel-state.ts";
import { acceptAll, type ReviewState } from "../panel/state/review-state.ts";
import { button, primaryButton } from "../panel/views/controls.ts";
import { footer, menuRow } from "../panel/views/menu.ts";
import { signOffPart } from "../panel/views/sign-off-part.ts";
import { words } from "../panel/words/words.ts";
import { soundingCues, voiceFiles } from "../src/result/result.ts";
import { signOffState } from "../src/result/sign-off.ts";
import { staleIn } from "../src/result/stale.ts";

/** What stands at the foot of the script on the page: signing it off, then delivering it. */
export function reviewFoot(state: PanelState, review: ReviewState, actions: Actions): ElementNode {
  const { result } = review;
  const { session, jobQueue, deliverController, reviewController, panelController } = actions;
  const { size } = staleIn(result);
  const isSigned = signOffState(result.signOff, soundingCues(result)) === "valid";
  const deliver = () => session.run(() => deliverController.open());
  return footer(
    {
      main: isSigned
        ? primaryButton("open-delivery", words.openDelivery, deliver)
        : signOffPart(state, review, actions, primaryButton),
      more: [
        size === 0 || result.track === "none"
          ? null
          : button("voice-changed", words.voiceChanged({ count: size }), () => session.run(() => jobQueue.voice())),
      ],
      isMenuOpen: state.isMenuOpen,
      menu: () => [
        menuRow("accept-all", words.acceptAll, async () => reviewController.change(acceptAll), actions),
        isSigned
          ? signOffPart(state, review, actions)
          : menuRow(
              "open-delivery",
              words.openDelivery,
              () => deliverController.open(),
              actions,
              result.cues.length > 0,
            ),
        result.pieces === undefined || voiceFiles(result).length === 0
          ? null
          : menuRow("voice-whole", words.voiceWhole, () => jobQueue.voice(), actions),
        menuRow("open-bible", words.openBible, async () => panelController.go("bible"), actions),
        menuRow("open-keys", words.views.keys, async () => panelController.go("keys"), actions),
      ],
    },
    actions,
  );
}
