// Made by `python -m rage.server.types` from the server's types: not to be edited.

export const PRESETS = [
  'hello',
  'good_luck',
  'well_played',
  'thanks',
  'sorry',
  'oops',
  'one_moment',
  'again',
  'bye',
] as const;
export type Preset = (typeof PRESETS)[number];

export type ReasonData = { readonly code: string; readonly [name: string]: unknown };

/** How many of each action card are in the pack. */
export interface PackData {
  readonly wild: number;
  readonly change: number;
  readonly out: number;
  readonly bonus: number;
  readonly mad: number;
}

/** The fields of a :class:`RuleSet`, which checks them. */
export interface SettingsData {
  readonly edition: string;
  readonly pack: PackData;
  readonly change: string;
  readonly out: string;
  readonly second_wild: string;
  readonly exact: number;
  readonly exact_zero: number;
  readonly miss: number;
  readonly tie: string;
  readonly schedule: readonly number[];
  readonly bidding: string;
  readonly bid_total: string;
  readonly anytime_actions: boolean;
  readonly sweep: boolean;
  readonly teams: number | null;
  readonly colours: number;
  readonly ranks: number;
}

/** When the trump was set, and how (:class:`rage.history.Turn`), as plain data. */
export interface TurnData {
  readonly cause: string;
  readonly trick: number;
  readonly card: number;
  readonly seat: number | null;
  readonly cards: string;
  readonly trump: string | null;
}

/** A trick (:class:`rage.history.Trick`) as plain data. */
export interface TrickData {
  readonly leader: number;
  readonly moves: string;
  readonly trump: string | null;
  readonly winner: number | null;
}

/** A round (:class:`rage.history.Round`) as plain data, without its deal. */
export interface RoundData {
  readonly number: number;
  readonly dealer: number;
  readonly hand_size: number;
  readonly bids: readonly (number | null)[];
  readonly turns: readonly TurnData[];
  readonly tricks: readonly TrickData[];
  readonly won: readonly number[] | null;
  readonly points: readonly number[] | null;
}

/** What concerns only the person told. */
export interface OwnData {
  readonly person: string;
  readonly name: string;
  readonly seat: number | null;
  readonly looking: number | null;
  readonly muted: readonly string[];
  readonly may_undo: boolean;
}

/** What is proposed: by which seat, which seats have agreed, and which are asked. */
export interface ProposalData {
  readonly kind: 'undo' | 'claim';
  readonly seat: number;
  readonly ply: number;
  readonly count: number;
  readonly tricks: readonly number[];
  readonly hand: string;
  readonly agreed: readonly number[];
  readonly asked: readonly number[];
}

/** A seat, who sits there, and the votes on whether a bot shall play for them, by person. */
export interface SeatData {
  readonly name: string;
  readonly person: string | null;
  readonly bot: string | null;
  readonly here: boolean;
  readonly word: string;
  readonly shows: boolean;
  readonly votes: { readonly [name: string]: boolean };
}

/** A game as a person sees it, with the reason for each card or bid that may not be played. */
export interface SeenGameData {
  readonly seat: number | null;
  readonly players: readonly string[];
  readonly first_round: number;
  readonly to_act: number | null;
  readonly bidding: boolean;
  readonly over: boolean;
  readonly trump: string | null;
  readonly led: string | null;
  readonly hand: string;
  readonly hand_sizes: readonly number[];
  readonly won: readonly number[];
  readonly bonus: readonly number[];
  readonly mad: readonly number[];
  readonly voids?: readonly string[];
  readonly seen?: string;
  readonly scores: readonly number[];
  readonly met: readonly number[];
  readonly winners: readonly number[] | null;
  readonly rounds: readonly RoundData[];
}

/** Who watches, and the seat they look at. */
export interface SpectatorData {
  readonly person: string;
  readonly name: string;
  readonly here: boolean;
  readonly looking: number | null;
}

/** Everything that a person may know of a table. */
export interface TableData {
  readonly seq: number;
  readonly ply: number;
  readonly phase: 'new' | 'gathering' | 'playing' | 'paused' | 'over';
  readonly rules: string;
  readonly settings: SettingsData;
  readonly options: Options;
  readonly host: string | null;
  readonly games: number;
  readonly commitment: string;
  readonly seed: string | null;
  readonly turn_since: number;
  readonly asked: boolean;
  readonly seats: readonly SeatData[];
  readonly spectators: readonly SpectatorData[];
  readonly proposal: ProposalData | null;
  readonly me: OwnData | null;
  readonly game: SeenGameData | null;
}

/** What who is to act may do: the ``legal`` moves as codes with a space between, and under ``why_not``, for each reason once, the cards or bids that may not be. */
export interface ToActData {
  readonly legal: string;
  readonly why_not: readonly (readonly [string, ReasonData])[];
}

/** A friendly clock, which never ends a game. */
export interface Clock {
  readonly nudge: number;
  readonly ask: number;
  readonly hand_over: number;
}

/** ``access``: whether anybody finds the table, or who has its link. */
export interface Options {
  readonly access: 'open' | 'link';
  readonly undo: boolean;
  readonly known: boolean;
  readonly takeover: 'at_once' | 'vote';
  readonly spectators: boolean;
  readonly grace: number;
  readonly bot: string;
  readonly clock: Clock | null;
}

/** Open a table; who asks is its host, and sits in seat 0. */
export interface CreateCommand {
  readonly type: 'create';
  readonly rules: string;
  readonly players: number;
  readonly name: string;
  readonly options?: Options;
}

/** Change the options, or, while people gather, the rules and the number of players too. */
export interface ConfigureCommand {
  readonly type: 'configure';
  readonly rules: string;
  readonly players: number;
  readonly options: Options;
}

/** Come to the table and sit down: in a seat, or in the first one without a person; or, already seated while people gather, move there. */
export interface JoinCommand {
  readonly type: 'join';
  readonly name: string;
  readonly seat?: number | null;
}

/** Come to the table as a spectator. */
export interface WatchCommand {
  readonly type: 'watch';
  readonly name: string;
}

/** Go for good; a bot plays on. */
export interface LeaveCommand {
  readonly type: 'leave';
}

/** Be called something else. */
export interface RenameCommand {
  readonly type: 'rename';
  readonly name: string;
}

/** Give a seat to a spectator (``person``), or to a bot: one's own, or, as host, any. */
export interface GiveSeatCommand {
  readonly type: 'give_seat';
  readonly seat: number;
  readonly person?: string | null;
  readonly bot?: string | null;
  readonly name?: string | null;
}

/** Empty a bot's seat while people gather (host). */
export interface VacateCommand {
  readonly type: 'vacate';
  readonly seat: number;
}

/** Remove a person from the table (host); ``bar``: for good. */
export interface RemoveCommand {
  readonly type: 'remove';
  readonly person: string;
  readonly bar?: boolean;
}

/** Be host instead of one who is away or gone. */
export interface TakeHostCommand {
  readonly type: 'take_host';
}

/** Add a word to the shuffle, after the commitment and before the start. */
export interface SayWordCommand {
  readonly type: 'say_word';
  readonly word: string;
}

/** Begin the game (host). */
export interface StartCommand {
  readonly type: 'start';
  readonly bot?: string;
  readonly names?: readonly string[];
}

/** Stop play and clock (host). */
export interface PauseCommand {
  readonly type: 'pause';
}

/** Go on (host). */
export interface ResumeCommand {
  readonly type: 'resume';
}

/** Answer the decision numbered ``ply`` with a move, by its code. */
export interface PlayCommand {
  readonly type: 'play';
  readonly ply: number;
  readonly move: string;
}

/** A person's connection was lost, or is there again (house). */
export interface SetPresenceCommand {
  readonly type: 'set_presence';
  readonly person: string;
  readonly present: boolean;
}

/** Remind the player whose turn it is (house). */
export interface NudgeCommand {
  readonly type: 'nudge';
  readonly seat: number;
  readonly ply: number;
}

/** Ask the others whether a bot shall take over (house). */
export interface AskCommand {
  readonly type: 'ask';
  readonly seat: number;
  readonly ply: number;
}

/** Let a bot play for a person: for oneself at any time, for another as the options say. */
export interface StepInCommand {
  readonly type: 'step_in';
  readonly seat: number;
}

/** Say whether a bot shall play for someone who is away or slow. */
export interface VoteCommand {
  readonly type: 'vote';
  readonly seat: number;
  readonly yes: boolean;
}

/** Play oneself again, instead of the bot that stepped in. */
export interface TakeBackCommand {
  readonly type: 'take_back';
}

/** Ask to take one's last decision back; ``ply`` is the decision now due. */
export interface ProposeUndoCommand {
  readonly type: 'propose_undo';
  readonly ply: number;
}

/** On one's turn, propose how the tricks that are left in the round fall, by seat; shows one's hand. */
export interface ClaimCommand {
  readonly type: 'claim';
  readonly ply: number;
  readonly tricks: readonly number[];
}

/** Agree to what is proposed at ``ply``, or not. */
export interface AnswerCommand {
  readonly type: 'answer';
  readonly ply: number;
  readonly yes: boolean;
}

/** Drop one's own proposal. */
export interface WithdrawCommand {
  readonly type: 'withdraw';
}

/** Play again with the same people (host). */
export interface RematchCommand {
  readonly type: 'rematch';
}

/** Let spectators look into one's hand, or not any more. */
export interface ShowHandCommand {
  readonly type: 'show_hand';
  readonly allowed: boolean;
}

/** As a spectator, see what a seat sees, where its player allows; ``None``: the public view. */
export interface LookAtCommand {
  readonly type: 'look_at';
  readonly seat?: number | null;
}

/** Say something: a text, or one of the ready-made phrases. */
export interface ChatCommand {
  readonly type: 'chat';
  readonly text?: string | null;
  readonly preset?: string | null;
}

/** Stop hearing a person's chat, or hear it again. */
export interface MuteCommand {
  readonly type: 'mute';
  readonly person: string;
  readonly muted?: boolean;
}

export type Command =
  | CreateCommand
  | ConfigureCommand
  | JoinCommand
  | WatchCommand
  | LeaveCommand
  | RenameCommand
  | GiveSeatCommand
  | VacateCommand
  | RemoveCommand
  | TakeHostCommand
  | SayWordCommand
  | StartCommand
  | PauseCommand
  | ResumeCommand
  | PlayCommand
  | SetPresenceCommand
  | NudgeCommand
  | AskCommand
  | StepInCommand
  | VoteCommand
  | TakeBackCommand
  | ProposeUndoCommand
  | ClaimCommand
  | AnswerCommand
  | WithdrawCommand
  | RematchCommand
  | ShowHandCommand
  | LookAtCommand
  | ChatCommand
  | MuteCommand;

/** The table is open. */
export interface CreatedFact {
  readonly type: 'created';
  readonly rules: string;
  readonly players: number;
  readonly options: Options;
}

/** Rules, number of players or options have changed. */
export interface ConfiguredFact {
  readonly type: 'configured';
  readonly rules: string;
  readonly players: number;
  readonly options: Options;
}

/** The hash of the secret seed of the table's ``game``-th game, from 1. */
export interface CommittedFact {
  readonly type: 'committed';
  readonly game: number;
  readonly hash: string;
}

/** The seed itself, which nobody sees: it is shown by :class:`GameOver`. */
export interface SealedFact {
  readonly type: 'sealed';
  readonly seed?: string | null;
}

/** A person has come to the table. */
export interface JoinedFact {
  readonly type: 'joined';
  readonly person: string;
  readonly name: string;
}

/** A person has gone; ``removed``: not of their own will, ``barred``: for good. */
export interface LeftFact {
  readonly type: 'left';
  readonly person: string;
  readonly removed?: boolean;
  readonly barred?: boolean;
}

/** A person is called something else. */
export interface RenamedFact {
  readonly type: 'renamed';
  readonly person: string;
  readonly name: string;
}

/** A person at the table sits in a seat now. */
export interface SatFact {
  readonly type: 'sat';
  readonly person: string;
  readonly seat: number;
}

/** A bot has a seat of its own; who sat there is a spectator. */
export interface BotSatFact {
  readonly type: 'bot_sat';
  readonly seat: number;
  readonly bot: string;
  readonly name: string;
}

/** A seat is empty. */
export interface VacatedFact {
  readonly type: 'vacated';
  readonly seat: number;
}

/** Somebody else is host, or nobody is. */
export interface HostPassedFact {
  readonly type: 'host_passed';
  readonly person?: string | null;
}

/** What a player adds to the shuffle. */
export interface WordSaidFact {
  readonly type: 'word_said';
  readonly seat: number;
  readonly word: string;
}

/** The game begins, with these names and words by seat; ``dealer`` deals first, or whom the seed says. */
export interface StartedFact {
  readonly type: 'started';
  readonly names: readonly string[];
  readonly words: readonly string[];
  readonly dealer?: number | null;
}

/** A round is dealt: to each their own hand, the stock to nobody, what is turned up to all. */
export interface DealtFact {
  readonly type: 'dealt';
  readonly round: number;
  readonly dealer: number;
  readonly hands: readonly (string | null)[];
  readonly stock?: string | null;
  readonly turned: string;
  readonly trump?: string | null;
}

/** The decision numbered ``ply``; ``hidden``: a bid that the others do not see yet. */
export interface PlayedFact {
  readonly type: 'played';
  readonly ply: number;
  readonly seat: number;
  readonly move?: string | null;
  readonly by?: 'person' | 'bot' | 'claim';
  readonly hidden?: boolean;
  readonly led?: string | null;
  readonly void?: string | null;
}

/** Hidden or secret bids are shown. */
export interface BidsShownFact {
  readonly type: 'bids_shown';
  readonly bids: readonly number[];
}

/** A Change or an Out, or the end of a trick with an Out, has set the trump. */
export interface TrumpSetFact {
  readonly type: 'trump_set';
  readonly cause: 'change' | 'out' | 'after';
  readonly cards: string;
  readonly trump?: string | null;
}

/** A trick is full. */
export interface TrickWonFact {
  readonly type: 'trick_won';
  readonly seat: number;
}

/** A round is over: tricks by seat, and its points by side. */
export interface RoundOverFact {
  readonly type: 'round_over';
  readonly won: readonly number[];
  readonly points: readonly number[];
}

/** The game is over, and its seed is shown. */
export interface GameOverFact {
  readonly type: 'game_over';
  readonly scores: readonly number[];
  readonly winners: readonly number[];
  readonly seed: string;
}

/** Play and clock stand still. */
export interface PausedFact {
  readonly type: 'paused';
  readonly person?: string | null;
}

/** Play goes on. */
export interface ResumedFact {
  readonly type: 'resumed';
  readonly person?: string | null;
}

/** A person's connection was lost, or is there again. */
export interface PresenceSetFact {
  readonly type: 'presence_set';
  readonly person: string;
  readonly present: boolean;
}

/** A player was reminded. */
export interface NudgedFact {
  readonly type: 'nudged';
  readonly seat: number;
  readonly ply: number;
}

/** The others are asked whether a bot shall take over. */
export interface AskedFact {
  readonly type: 'asked';
  readonly seat: number;
  readonly ply: number;
}

/** A player has said whether a bot shall play for ``seat``. */
export interface VotedFact {
  readonly type: 'voted';
  readonly seat: number;
  readonly person: string;
  readonly yes: boolean;
}

/** A bot plays for a person, whose the seat still is. */
export interface SteppedInFact {
  readonly type: 'stepped_in';
  readonly seat: number;
  readonly bot: string;
}

/** A person plays again. */
export interface TookBackFact {
  readonly type: 'took_back';
  readonly seat: number;
}

/** A player asks to go back ``count`` decisions; ``ply`` is the one now due. */
export interface UndoProposedFact {
  readonly type: 'undo_proposed';
  readonly seat: number;
  readonly ply: number;
  readonly count: number;
}

/** A player shows a hand and proposes how the rest of the tricks fall, by seat. */
export interface ClaimedFact {
  readonly type: 'claimed';
  readonly seat: number;
  readonly ply: number;
  readonly tricks: readonly number[];
  readonly hand: string;
}

/** A player agrees to what is proposed, or not. */
export interface AnsweredFact {
  readonly type: 'answered';
  readonly seat: number;
  readonly yes: boolean;
}

/** What was proposed is done with; ``why`` says how. */
export interface ProposalEndedFact {
  readonly type: 'proposal_ended';
  readonly why: 'accepted' | 'declined' | 'withdrawn' | 'bot_declines' | 'no_order' | 'too_hard';
}

/** The last ``count`` decisions are taken back; the one now due is numbered ``ply``, which no other ever was. */
export interface UndoneFact {
  readonly type: 'undone';
  readonly count: number;
  readonly ply: number;
}

/** The same people gather for another game; ``dealer`` will deal first. */
export interface RematchedFact {
  readonly type: 'rematched';
  readonly dealer: number;
}

/** A player lets spectators look, or not any more. */
export interface HandShownFact {
  readonly type: 'hand_shown';
  readonly seat: number;
  readonly allowed: boolean;
}

/** A spectator sees what a seat sees, or the public view again; everybody is told. */
export interface LookedFact {
  readonly type: 'looked';
  readonly person: string;
  readonly seat?: number | null;
}

/** Somebody has said something. */
export interface ChattedFact {
  readonly type: 'chatted';
  readonly person: string;
  readonly text?: string | null;
  readonly preset?: string | null;
}

/** A person hears another's chat no more, or again; only they are told. */
export interface MutedFact {
  readonly type: 'muted';
  readonly person: string;
  readonly other: string;
  readonly muted: boolean;
}

export type Fact =
  | CreatedFact
  | ConfiguredFact
  | CommittedFact
  | SealedFact
  | JoinedFact
  | LeftFact
  | RenamedFact
  | SatFact
  | BotSatFact
  | VacatedFact
  | HostPassedFact
  | WordSaidFact
  | StartedFact
  | DealtFact
  | PlayedFact
  | BidsShownFact
  | TrumpSetFact
  | TrickWonFact
  | RoundOverFact
  | GameOverFact
  | PausedFact
  | ResumedFact
  | PresenceSetFact
  | NudgedFact
  | AskedFact
  | VotedFact
  | SteppedInFact
  | TookBackFact
  | UndoProposedFact
  | ClaimedFact
  | AnsweredFact
  | ProposalEndedFact
  | UndoneFact
  | RematchedFact
  | HandShownFact
  | LookedFact
  | ChattedFact
  | MutedFact;

export interface Hidden {
  readonly type: 'hidden';
}

/** A message of a client, of one kind: a command (``do``, with the client's own number for it), ``ping``, or ``since``: tell me all after this event again. */
export interface Said {
  readonly id?: number | null;
  readonly do?: { readonly [name: string]: unknown } | null;
  readonly ping?: number | null;
  readonly since?: number | null;
}

/** Everything that a person may know now of a table after event ``seq``. */
export interface Whole {
  readonly type: 'table';
  readonly seq: number;
  readonly now: number;
  readonly you: string;
  readonly table: TableData;
  readonly turn?: ToActData | null;
}

/** The events up to number ``seq``, as this person may see them. */
export interface Update {
  readonly type: 'update';
  readonly seq: number;
  readonly events: readonly (Fact | Hidden)[];
  readonly at?: number | null;
  readonly to_act?: number | null;
  readonly id?: number | null;
  readonly turn?: ToActData | null;
}

/** A command was refused, and nothing has changed. */
export interface Refused {
  readonly type: 'refused';
  readonly id: number | null;
  readonly reason: ReasonData;
}

/** The answer to a ping, with the server's time in milliseconds. */
export interface Pong {
  readonly type: 'pong';
  readonly ping: number;
  readonly now: number;
}

export type Message = Whole | Update | Refused | Pong;

/** Why a request was refused: a code with its parameters, and the sentence in the language asked for. */
export interface Problem {
  readonly reason: ReasonData;
  readonly text: string;
}

/** Whom this device has become. */
export interface Become {
  readonly person: string;
  readonly name: string | null;
}

/** A token by which another device becomes this person, as a link to open there, and as an image (``data:``) of that link; how many ``seconds`` it may be used, once. */
export interface Handover {
  readonly token: string;
  readonly url: string;
  readonly qr: string;
  readonly seconds: number;
}

/** This person, the name they go by (``null``: none yet), the language of the answers, and whether the browser counts this page as secure. */
export interface Me {
  readonly person: string;
  readonly name: string | null;
  readonly language: string;
  readonly secure: boolean;
}

/** The name to go by. */
export interface NewName {
  readonly name: string;
}

/** A finished game in a line. */
export interface GameLine {
  readonly table: string;
  readonly game: number;
  readonly rules: string;
  readonly title: string;
  readonly edition: string;
  readonly ended: number;
  readonly names: readonly string[];
  readonly bots: readonly (string | null)[];
  readonly scores: readonly number[];
  readonly winners: readonly number[];
  readonly seat: number | null;
}

/** A seat: the name of who sits there (empty: nobody), which bot plays it, whether its person is connected, and whether that is who asks. */
export interface SeatLine {
  readonly name: string;
  readonly bot: string | null;
  readonly here: boolean;
  readonly me: boolean;
}

/** A table in a line: enough to ask whether to join. */
export interface TableLine {
  readonly table: string;
  readonly rules: string;
  readonly title: string;
  readonly edition: string;
  readonly players: number;
  readonly phase: 'gathering' | 'playing' | 'paused' | 'over';
  readonly round: number | null;
  readonly rounds: number;
  readonly seats: readonly SeatLine[];
  readonly spectators: number;
  readonly your_turn: boolean;
  readonly may_join: boolean;
  readonly may_watch: boolean;
  readonly updated: number;
  readonly game: number;
}

/** The friendly clock (``rage.table.Clock``), in seconds from when a turn began. */
export interface ClockData {
  readonly nudge?: number;
  readonly ask?: number;
  readonly hand_over?: number;
}

/** A table to open: its rules, how many play, the name of who opens it (where it isn't the one they go by), bots by seat from 1 on (``null``: that seat stays empty), and whether to start at once, with steady bots in the seats that are left. */
export interface NewTable {
  readonly rules: string;
  readonly players: number;
  readonly name?: string | null;
  readonly options?: OptionsData | null;
  readonly bots?: readonly (string | null)[];
  readonly start?: boolean;
}

/** The code of a new table. */
export interface Opened {
  readonly table: string;
}

/** What a host chooses beside the rules (``rage.table.Options``). */
export interface OptionsData {
  readonly access?: 'open' | 'link';
  readonly undo?: boolean;
  readonly known?: boolean;
  readonly takeover?: 'at_once' | 'vote';
  readonly spectators?: boolean;
  readonly grace?: number;
  readonly bot?: string;
  readonly clock?: ClockData | null;
}

/** The tables one is at, and those that anybody may find; the one used last first. */
export interface Tables {
  readonly mine: readonly TableLine[];
  readonly open: readonly TableLine[];
}

/** A game whole. */
export interface Replay {
  readonly rules: string;
  readonly edition: string;
  readonly players: readonly string[];
  readonly bots: readonly (string | null)[];
  readonly sides: number;
  readonly scheduled: number;
  readonly rounds: readonly ReplayRound[];
  readonly scores: readonly number[];
  readonly winners: readonly number[] | null;
  readonly link: string;
}

/** One round: its deal, its steps from the deal on, what it came to; ``scores`` after it. */
export interface ReplayRound {
  readonly number: number;
  readonly dealer: number;
  readonly hand_size: number;
  readonly hands: readonly string[];
  readonly steps: readonly Step[];
  readonly bids: readonly (number | null)[];
  readonly won: readonly number[] | null;
  readonly points: readonly number[] | null;
  readonly scores: readonly number[];
}

/** One decision, or the deal of a round, and how things stand after it. */
export interface Step {
  readonly at: string;
  readonly say: readonly ReasonData[];
  readonly seat?: number | null;
  readonly move?: string | null;
  readonly trump?: string | null;
  readonly led?: string | null;
  readonly to_act?: number | null;
  readonly legal?: string;
  readonly turned?: string;
  readonly winner?: number | null;
}

/** A finished game to step through, and its record (``docs/record.md``). */
export interface FinishedGame {
  readonly replay: Replay;
  readonly record: { readonly [name: string]: unknown };
}

/** One's finished games, the last one first. */
export interface Games {
  readonly games: readonly GameLine[];
}

/** An answer, chosen by its number (from 1). */
export interface AnswerLine {
  readonly text: string;
}

/** A bot to play with. */
export interface BotLine {
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

/** The next question, if another helps, and the editions that are possible still. */
export interface Box {
  readonly question: QuestionLine | null;
  readonly left: readonly string[];
}

/** A chapter of the rules: its title and its sentences. */
export interface ChapterLines {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Everything there is to choose from; ``presets`` are the ready-made phrases of the chat. */
export interface Choice {
  readonly editions: readonly EditionLine[];
  readonly variants: readonly VariantLine[];
  readonly settings: readonly SettingLine[];
  readonly bots: readonly BotLine[];
  readonly presets: readonly string[];
  readonly limits: LimitLines;
}

/** A printed edition; ``line`` is all of it in a sentence, ``players`` the least and the most. */
export interface EditionLine {
  readonly name: string;
  readonly title: string;
  readonly line: string;
  readonly cards: number;
  readonly players: readonly [number, number];
}

/** The largest there may be: players, rounds, cards in a hand, action cards of a kind, points of a setting, letters of a name, a word and a chat line, seconds of a clock. */
export interface LimitLines {
  readonly players: number;
  readonly rounds: number;
  readonly hand: number;
  readonly action_cards: number;
  readonly points: number;
  readonly name: number;
  readonly word: number;
  readonly chat: number;
  readonly seconds: number;
}

/** A question about a box. */
export interface QuestionLine {
  readonly code: string;
  readonly text: string;
  readonly answers: readonly AnswerLine[];
}

/** Rules in words. */
export interface RulesPage {
  readonly rules: string;
  readonly title: string;
  readonly edition: string;
  readonly players: readonly [number, number];
  readonly settings: { readonly [name: string]: string };
  readonly schedule: readonly number[];
  readonly chapters: readonly ChapterLines[];
  readonly differences: readonly string[];
}

/** A setting: what it decides, its ``values`` where they can be listed, what may be written in words (``allowed``), and the value it has where no edition says another. */
export interface SettingLine {
  readonly name: string;
  readonly meaning: string;
  readonly values: readonly string[];
  readonly allowed: string;
  readonly default: string;
}

/** A variant, what it changes, and the editions in which it is not the rule already. */
export interface VariantLine {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly editions: readonly string[];
}

/** Where other devices of this network find this server; nothing where none can. */
export interface Network {
  readonly addresses: readonly string[];
}

/** Whether the server is well. */
export interface Health {
  readonly ok: boolean;
}
