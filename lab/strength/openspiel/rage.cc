// A game for OpenSpiel whose rules are our kernel's: one round from one decision on, in a world that
// fits what the seat to act has seen. plugin.py hands over the functions and the root.
//
// What a player knows is told in 8 bytes (a digest, as in src/rage/bots/ismcts.py), not in words, so
// that OpenSpiel's search spends its time on searching.

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "open_spiel/spiel.h"

namespace {

using open_spiel::Action;
using open_spiel::Player;

constexpr int kMoves = 128, kFirstBid = 112, kNone = 6;
constexpr int kBidding = 1, kPlaying = 2, kTurnedUp = 4, kTrumpSet = 32;

// The records of kernel.pxd and worlds.pxd.
struct Moves { uint64_t lo, hi; };
struct Position {
  uint64_t held[16], seen[2];
  uint8_t stock[32], trick[8], bids[8], won[8], bonus_mad[8], voids[8], met[8];
  int16_t scores[8];
  uint8_t phase, round, dealer, turn, leader, trump, led, count, tricks, hand, stock_size, turned,
      shown, up, flags;
};
struct Generator { uint64_t random; uint8_t pack[128]; };
struct Unseen { alignas(8) uint8_t bytes[1024]; };  // larger than the record, which only they read

struct Kernel {
  Moves (*legal_set)(Position*, void* rules);
  int (*apply)(Position*, void* rules, int move);
  int (*note_unseen)(Unseen*, Position*, void* rules, int seat);
  int (*draw_world)(Unseen*, Generator*);
  void (*fill_world)(Unseen*, Generator*, Position* target, Position*, void* rules);
};

Kernel kernel;
struct Root {
  Position position;
  void* rules;
  int players, sides;
  Unseen unseen;
} root;

uint64_t Mix(uint64_t digest, uint64_t number) {
  digest = (digest ^ number) * 0xBF58476D1CE4E5B9u;
  digest = (digest ^ (digest >> 32)) * 0x94D049BB133111EBu;
  return digest ^ (digest >> 29);
}

class RageState : public open_spiel::State {
 public:
  explicit RageState(std::shared_ptr<const open_spiel::Game> game)
      : State(game), position_(root.position) {}
  RageState(const RageState&) = default;

  Player CurrentPlayer() const override {
    return IsTerminal() ? open_spiel::kTerminalPlayerId : position_.turn;
  }

  std::vector<Action> LegalActions() const override {
    std::vector<Action> found;
    if (IsTerminal()) return found;
    Moves moves = kernel.legal_set(const_cast<Position*>(&position_), root.rules);
    found.reserve(__builtin_popcountll(moves.lo) + __builtin_popcountll(moves.hi));
    for (; moves.lo; moves.lo &= moves.lo - 1) found.push_back(__builtin_ctzll(moves.lo));
    for (; moves.hi; moves.hi &= moves.hi - 1) found.push_back(64 + __builtin_ctzll(moves.hi));
    return found;
  }

  std::string ActionToString(Player, Action action) const override {
    return std::to_string(action);
  }
  std::string ToString() const override { return std::to_string(past_); }
  bool IsTerminal() const override {
    return position_.phase != kBidding && position_.phase != kPlaying;
  }

  // The points of the round, less the mean of the other sides.
  std::vector<double> Returns() const override {
    std::vector<double> found(root.players, 0.0);
    if (!IsTerminal()) return found;
    int total = 0;
    for (int side = 0; side < root.sides; side++) total += Points(side);
    for (int seat = 0; seat < root.players; seat++) {
      const int own = Points(seat % root.sides);
      found[seat] = own - (total - own) / (root.sides - 1.0);
    }
    return found;
  }

  std::string InformationStateString(Player player) const override {
    uint64_t digest = Mix(Mix(past_, player), position_.held[2 * player]);
    digest = Mix(digest, position_.held[2 * player + 1]);
    uint64_t bids;
    std::memcpy(&bids, position_.bids, 8);
    digest = Mix(digest, bids);
    return std::string(reinterpret_cast<const char*>(&digest), 8);
  }

  std::unique_ptr<State> Clone() const override { return std::make_unique<RageState>(*this); }

  // A world that fits all that the seat at the root has seen.
  std::unique_ptr<State> ResampleFromInfostate(int, std::function<double()> rng) const override {
    auto world = std::make_unique<RageState>(*this);
    Generator generator;
    generator.random = static_cast<uint64_t>(rng() * 9007199254740992.0);
    if (!kernel.draw_world(&root.unseen, &generator)) open_spiel::SpielFatalError("no world");
    kernel.fill_world(&root.unseen, &generator, &world->position_, &root.position, root.rules);
    return world;
  }

 protected:
  void DoApplyAction(Action move) override {
    const int happened = kernel.apply(&position_, root.rules, move);
    if (move < kFirstBid) past_ = Mix(past_, move);
    if (happened & (kTurnedUp | kTrumpSet)) {
      past_ = Mix(Mix(Mix(past_, position_.trump), position_.seen[0]), position_.seen[1]);
    }
  }

 private:
  int Points(int side) const { return position_.scores[side] - root.position.scores[side]; }

  Position position_;
  uint64_t past_ = 0;
};

const open_spiel::GameType kType{
    /*short_name=*/"rage_round",
    /*long_name=*/"A round of Rage",
    open_spiel::GameType::Dynamics::kSequential,
    open_spiel::GameType::ChanceMode::kDeterministic,
    open_spiel::GameType::Information::kImperfectInformation,
    open_spiel::GameType::Utility::kGeneralSum,
    open_spiel::GameType::RewardModel::kTerminal,
    /*max_num_players=*/8,
    /*min_num_players=*/2,
    /*provides_information_state_string=*/true,
    /*provides_information_state_tensor=*/false,
    /*provides_observation_string=*/false,
    /*provides_observation_tensor=*/false,
    /*parameter_specification=*/{}};

class RageGame : public open_spiel::Game {
 public:
  explicit RageGame(const open_spiel::GameParameters& params) : Game(kType, params) {}
  int NumDistinctActions() const override { return kMoves; }
  std::unique_ptr<open_spiel::State> NewInitialState() const override {
    return std::make_unique<RageState>(shared_from_this());
  }
  int NumPlayers() const override { return root.players; }
  double MinUtility() const override { return -1000; }
  double MaxUtility() const override { return 1000; }
  int MaxGameLength() const override { return 256; }
};

const open_spiel::GameRegisterer registerer(kType, [](const open_spiel::GameParameters& params) {
  return std::shared_ptr<const open_spiel::Game>(new RageGame(params));
});

}  // namespace

// The functions of our kernel, in the order of the record.
extern "C" void rage_use(void* const* functions) { std::memcpy(&kernel, functions, sizeof kernel); }

// Where the next search begins: a position masked for the seat to act, which is copied, and its
// rules, which must outlive the search. Whether some deal fits.
extern "C" int rage_begin(const void* position, void* rules, int players, int sides) {
  std::memcpy(&root.position, position, sizeof root.position);
  root.rules = rules;
  root.players = players;
  root.sides = sides;
  return kernel.note_unseen(&root.unseen, &root.position, rules, root.position.turn);
}

extern "C" int rage_position_size() { return sizeof(Position); }
