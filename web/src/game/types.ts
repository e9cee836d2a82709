// The socket's types under the page's names for them, made from the server's (`protocol.ts`).

import type {
  Clock,
  Fact as SeenFact,
  GameData,
  Hidden,
  OwnData,
  ProposalData,
  RoundData,
  SaidData,
  SeatData,
  SettingsData,
  TableData,
  ToActData,
  TrickData,
} from '../protocol.ts';
import type { WireReason } from '../say.ts';

export type {
  ChatLines,
  Command,
  Message,
  Options as TableOptions,
  Pong,
  Reacted,
  ReactionData,
  Refused,
  TrumpChangeData,
  Update,
  FullTable,
} from '../protocol.ts';

export type ClockOption = Clock;
/** `comment` replaces the usual words about the fact, in the guided round. */
export type Fact = (SeenFact | Hidden) & { readonly comment?: WireReason };
/** A game without the field that is never drawn. */
export type GameView = Omit<GameData, 'first_round'>;
export type MeView = OwnData;
export type ProposalView = ProposalData;
export type RoundView = RoundData;
export type SaidView = SaidData;
export type SeatView = SeatData;
export type Settings = SettingsData;
export type TableView = Omit<TableData, 'game'> & {
  readonly game: GameView | null;
};
export type TrickView = TrickData;
export type Turn = ToActData;
