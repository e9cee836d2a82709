// What goes over the socket, by the names that the page has for it. The types themselves are made
// from the server's (`protocol.ts`).

import type {
  Clock,
  Fact as Told,
  Hidden,
  OwnData,
  ProposalData,
  RoundData,
  SaidData,
  SeatData,
  SeenGameData,
  SettingsData,
  SpectatorData,
  TableData,
  ToActData,
  TrickData,
  TurnData,
} from '../protocol.ts';

export type {
  Command,
  Message,
  Options as TableOptions,
  Pong,
  Refused,
  Update,
  Whole,
} from '../protocol.ts';

export type ClockOption = Clock;
export type Fact = Told | Hidden;
export type GameView = SeenGameData;
export type MeView = OwnData;
export type ProposalView = ProposalData;
export type RoundView = RoundData;
export type SaidView = SaidData;
export type SeatView = SeatData;
export type Settings = SettingsData;
export type SpectatorView = SpectatorData;
export type TableView = TableData;
export type TrickView = TrickData;
export type Turn = ToActData;
export type TurnView = TurnData;
export type Cause = TurnData['cause'];
