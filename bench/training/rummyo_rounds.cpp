// Rounds of Rummy-O in which everybody holds until the whole rack goes out, many at once: what a seat sees of
// the next one, and which of its tiles that one could use.
// Nothing lies on the table, so that a rack is all there is. `patient` is played as the bot of that name
// plays.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

using std::min;
using std::vector;
typedef uint64_t Word;
typedef uint8_t Octet;

static const int KINDS = 52, JOKER = 52;
// What a seat is told of each face, then of the whole; `bots/laying_off/beliefs.py` has the same.
static const int PLANES = 23, TOLD = 12, WIDE = KINDS * PLANES + TOLD;
enum Plane { OWN, OWN_TWICE, UNSEEN, UNSEEN_TWICE, HELD, DEEDS };
static const int AGES = 6;
static int bucket(int age) {
    return age < 2 ? 0 : age < 4 ? 1 : age < 6 ? 2 : age < 10 ? 3 : age < 16 ? 4 : 5;
}

struct Random {
    Word state;
    Word next() {
        state += 0x9E3779B97F4A7C15ull;
        Word z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    int below(int n) { return (int)((next() >> 11) % (Word)n); }
    double fraction() { return (next() >> 11) * (1.0 / 9007199254740992.0); }
};

// Every meld of three to five tiles, as bits; those that hold a face; the other two of each meld of three.
static vector<Word> melds;
static vector<int> melds_with[KINDS];
static vector<std::pair<int, int>> pairs_with[KINDS];
static int points_of[KINDS];

static void add_meld(const vector<int> &faces) {
    Word mask = 0;
    for (int face : faces) mask |= 1ull << face;
    for (int face : faces) melds_with[face].push_back((int)melds.size());
    if (faces.size() == 3)
        for (int i = 0; i < 3; i++) pairs_with[faces[i]].push_back({faces[(i + 1) % 3], faces[(i + 2) % 3]});
    melds.push_back(mask);
}

static void prepare() {
    if (!melds.empty()) return;
    for (int face = 0; face < KINDS; face++) {
        int number = face % 13 + 1;
        points_of[face] = number == 1 || number > 10 ? 10 : number;
    }
    for (int colour = 0; colour < 4; colour++)
        for (int size = 3; size <= 5; size++)
            for (int low = 1; low + size - 1 <= 14; low++) {
                vector<int> faces;
                for (int n = low; n < low + size; n++) faces.push_back(colour * 13 + (n == 14 ? 0 : n - 1));
                add_meld(faces);
            }
    for (int number = 0; number < 13; number++)
        for (int colours = 1; colours < 16; colours++)
            if (__builtin_popcount(colours) >= 3) {
                vector<int> faces;
                for (int c = 0; c < 4; c++)
                    if (colours >> c & 1) faces.push_back(c * 13 + number);
                add_meld(faces);
            }
}

struct Rack {
    int8_t count[KINDS];
    int jokers;
};

static void add(Rack &rack, int face, int by) {
    if (face == JOKER)
        rack.jokers += by;
    else
        rack.count[face] += by;
}

static Word faces_of(const Rack &rack) {
    Word have = 0;
    for (int face = 0; face < KINDS; face++)
        if (rack.count[face]) have |= 1ull << face;
    return have;
}

// The most tiles, then points, that a rack can lay while at least `loose` stay.
struct BestLay {
    Rack rack;
    Word have;
    int most, tiles, points, must_stay;
    int8_t loose[KINDS], best_loose[KINDS];

    void search(int laid, int value, int jokers, int left, int left_value, int stay) {
        int hope = min(laid + left + jokers, most);
        if (hope < tiles || (hope == tiles && value + left_value + 15 * jokers <= points)) return;
        if (!have) {
            if (stay + jokers >= must_stay && (laid > tiles || (laid == tiles && value > points))) {
                tiles = laid, points = value;
                memcpy(best_loose, loose, KINDS);
            }
            return;
        }
        int face = __builtin_ctzll(have);
        Word before = have;
        for (int meld : melds_with[face]) {
            Word use = melds[meld] & have;
            int filled = __builtin_popcountll(melds[meld] & ~have), worth = 0;
            if (filled > jokers) continue;
            for (Word rest = use; rest; rest &= rest - 1) {
                int each = __builtin_ctzll(rest);
                worth += points_of[each];
                if (!--rack.count[each]) have &= ~(1ull << each);
            }
            int used = __builtin_popcountll(use);
            search(laid + used + filled, value + worth + 15 * filled, jokers - filled, left - used,
                   left_value - worth, stay);
            for (Word rest = use; rest; rest &= rest - 1) rack.count[__builtin_ctzll(rest)]++;
            have = before;
        }
        if (!--rack.count[face]) have &= ~(1ull << face);
        loose[face]++;
        search(laid, value, jokers, left - 1, left_value - points_of[face], stay + 1);
        loose[face]--;
        rack.count[face]++;
        have = before;
    }

    int of(const Rack &whole, int stays, int more_than = -1) {
        rack = whole, have = faces_of(whole), must_stay = stays, tiles = more_than;
        points = more_than < 0 ? -1 : 1 << 20;
        memset(loose, 0, KINDS);
        int left = 0, value = 0;
        for (int face = 0; face < KINDS; face++)
            left += rack.count[face], value += rack.count[face] * points_of[face];
        most = left + rack.jokers - stays;
        search(0, 0, rack.jokers, left, value, 0);
        return tiles;
    }
};

// Ways out as `solver/kernel/interpreted/ways_out.py` finds and weighs them: what each discard leaves.
static const int DUMMY = 52, FACES = 53, MOST_WAYS = 6000, MOST_AWAY = 8, FAR_AWAY = 99, NODES = 20000;
struct Way {
    Word want, again, spare, twice;
    int lacks;
};
struct Level {
    Word one, two, want, again;
    int at, left, lack, dead;
};
struct Appraisal {
    int8_t hand[FACES], unseen[FACES];
    int jokers, unseen_jokers, total, nodes, found, away;
    double looks, patience, values[FACES];
    Word once, twice, outs[FACES];
    vector<int> order, need;
    vector<Way> ways;
    vector<Word> then;

    bool search(Word one, Word two, int whole, int most_away) {
        int budget = most_away + jokers, end = 0, many = (int)melds.size(), level = 0;
        need.assign(many, FAR_AWAY), order.resize(many), ways.resize(MOST_WAYS);
        for (int i = 0; i < many; i++) {
            Word lack = melds[i] & ~one;
            int missing = __builtin_popcountll(lack);
            if (missing <= budget && __builtin_popcountll(lack & ~once) <= jokers) need[i] = missing;
        }
        for (int missing = 0; missing <= budget; missing++)
            for (int i = 0; i < many; i++)
                if (need[i] == missing) order[end++] = i;
        Level levels[16];
        levels[0] = {one, two, 0, 0, 0, whole, 0, 0};
        found = 0;
        while (level >= 0) {
            Level &now = levels[level];
            int fewest = (now.left + 4) / 5;
            if (now.at >= end || now.lack + need[order[now.at]] * fewest > budget) {
                level--;
                continue;
            }
            int at = now.at++;
            Word mask = melds[order[at]];
            if (--nodes < 0) return false;
            int rest = now.left - __builtin_popcountll(mask);
            if (rest < 0 || (rest > 0 && rest < 3)) continue;
            Word have = mask & now.one, lack = mask ^ have, again = now.again;
            int missing = now.lack + __builtin_popcountll(lack), dead = now.dead;
            if (missing > budget) continue;
            if (lack) {
                Word double_want = lack & now.want;
                dead +=
                    __builtin_popcountll(lack & ~once) + __builtin_popcountll(double_want & once & ~twice);
                if (dead > jokers) continue;
                again |= double_want;
            }
            Word ones = (now.one ^ have) | (now.two & have), twos = now.two & ~have;
            if (rest == 0) {
                if (found == MOST_WAYS) return true;
                ways[found++] = {now.want | lack, again, ones, twos, std::max(missing - jokers, 0)};
                continue;
            }
            levels[++level] = {ones, twos, now.want | lack, again, at, rest, missing, dead};
        }
        return true;
    }

    double waiting(Word mask) const {
        int tiles = __builtin_popcountll(mask & once) + __builtin_popcountll(mask & twice) + unseen_jokers;
        double chance = std::min(tiles * looks / total, 1.0);
        return patience * chance / (1 - patience * (1 - chance));
    }

    double chance_of(int face) const {
        return face < FACES ? std::min(unseen[face] * looks / total, 1.0) : (double)unseen_jokers / total;
    }

    double accepted(const double *offers) const {
        int order_of[FACES + 1], size = 0;
        for (int i = 0; i <= FACES; i++)
            if (offers[i] > 0) {
                int at = size++;
                for (; at > 0 && offers[order_of[at - 1]] < offers[i]; at--) order_of[at] = order_of[at - 1];
                order_of[at] = i;
            }
        double sum = 0, gain = 0, best = 0;
        for (int k = 0; k < size; k++) {
            int i = order_of[k];
            if (offers[i] <= best) break;
            sum += chance_of(i), gain += chance_of(i) * offers[i];
            best = patience * gain / (1 - patience * (1 - std::min(sum, 1.0)));
        }
        return best;
    }

    void weigh() {
        int place_of[16], many = 0;
        for (int face = 0; face < FACES; face++)
            if (hand[face]) place_of[many++] = face;
        Word whole[16] = {0}, still[256] = {0};
        int square = many * many;
        then.assign((FACES + 1) * square, 0);
        for (int w = 0; w < found; w++) {
            const Way &way = ways[w];
            int spare[16], size = 0;
            for (int i = 0; i < many; i++)
                if (way.spare >> place_of[i] & 1) spare[size++] = i;
            if (way.lacks == 0) {
                for (int k = 0; k < size; k++) values[place_of[spare[k]]] = 1;
                continue;
            }
            bool alone = way.lacks == 1;
            for (int k = 0; k < size; k++) {
                int first = spare[k];
                if (alone) whole[first] |= way.want;
                for (int m = 0; m < size; m++) {
                    if (k == m && !(way.twice >> place_of[first] & 1)) continue;
                    int pair = first * many + spare[m];
                    if (alone) {
                        still[pair] |= way.want;
                        continue;
                    }
                    then[FACES * square + pair] |= way.want;
                    for (Word rest = way.want; rest; rest &= rest - 1) {
                        Word low = rest & -rest;
                        then[__builtin_ctzll(low) * square + pair] |= (way.want ^ low) | (low & way.again);
                    }
                }
            }
        }
        for (int first = 0; first < many; first++) {
            outs[place_of[first]] = whole[first];
            if (values[place_of[first]] != 0) continue;
            double offers[FACES + 1];
            for (int face = 0; face <= FACES; face++) {
                offers[face] = 0;
                if ((face < FACES ? unseen[face] : unseen_jokers) == 0) continue;
                if ((face < FACES && whole[first] >> face & 1) || (face == FACES && whole[first])) {
                    offers[face] = 1;
                    continue;
                }
                for (int second = 0; second < many; second++) {
                    Word mask = then[face * square + first * many + second];
                    if (mask)
                        offers[face] = std::max(offers[face], waiting(mask | still[first * many + second]));
                }
            }
            values[place_of[first]] = accepted(offers);
        }
    }

    void spared() {
        double unit = pow(looks / total, away);
        for (int face = 0; face < FACES; face++)
            for (int w = 0; hand[face] && w < found; w++)
                if (ways[w].spare >> face & 1)
                    values[face] += unit * (1 << min(__builtin_popcountll(ways[w].want & twice), away));
    }

    // Fifteen tiles, the dummy included where nothing is to be discarded yet.
    void of(const Rack &rack, bool dummy, const Rack &not_seen, int all, double stays) {
        memcpy(hand, rack.count, KINDS), memcpy(unseen, not_seen.count, KINDS);
        hand[DUMMY] = dummy, unseen[DUMMY] = 0, jokers = rack.jokers, unseen_jokers = not_seen.jokers;
        total = all, looks = 1.5, patience = stays, nodes = NODES, away = FAR_AWAY, once = twice = 0;
        Word one = 0, two = 0;
        for (int face = 0; face < FACES; face++) {
            values[face] = 0, outs[face] = 0;
            once |= (Word)(unseen[face] > 0) << face, twice |= (Word)(unseen[face] > 1) << face;
            one |= (Word)(hand[face] > 0) << face, two |= (Word)(hand[face] > 1) << face;
        }
        for (int most_away = 2; most_away <= MOST_AWAY; most_away++) {
            search(one, two, 14, most_away);
            if (!found && nodes > 0) continue;
            if (!found) return;
            for (int w = 0; w < found; w++) away = min(away, ways[w].lacks);
            if (away <= 2)
                weigh();
            else
                spared();
            return;
        }
    }
};

static thread_local BestLay lay;
static thread_local Appraisal appraisal;

static bool goes_out(const Rack &rack) { return lay.of(rack, 1, 13) == 14; }

enum Act { TOOK_IT, LEFT_IT, THREW_IT };
struct Deed {
    Act act;
    int face;
};
// What a seat has seen of the next one, as `laying_off/memory.py` has it.
struct Memory {
    vector<Deed> deeds;
    int mine = -1, place = 0, renewed = 0;
};
static int face_of(int tile) { return tile < 104 ? tile / 2 : JOKER; }

struct Round {
    int players, seat, renewed, winner, learner, setting;
    bool weighs[4], opening, takes, decides, over;
    Rack rack[4];
    vector<int> tiles[4], stock, pile;
    int turns[4];
    Memory memory[4];
    double worth[KINDS];
};
struct Rules {
    double two, three, weighs, kept;  // rounds of two and of three; seats that weigh; decisions that are kept
    bool exam;
    int settings;
    double help[64], out[64];
};
struct Worker {
    vector<Octet> seen, labels;
    double rounds[3][64], wins[3][64];
};
struct Engine {
    vector<Round> rounds;
    vector<Random> random;
    vector<Worker> workers;
    Rules rules;
};

static void give(Round &round, int seat, int tile) {
    add(round.rack[seat], face_of(tile), 1);
    round.tiles[seat].push_back(tile);
}

static void shuffle(vector<int> &tiles, Random &random) {
    for (int i = (int)tiles.size() - 1; i > 0; i--) std::swap(tiles[i], tiles[random.below(i + 1)]);
}

static void begin(const Rules &rules, Round &round, Random &random) {
    double kind = random.fraction();
    round.players = kind < rules.two ? 2 : kind < rules.two + rules.three ? 3 : 4;
    round.learner = rules.exam ? random.below(round.players) : -1;
    round.setting = rules.settings ? random.below(rules.settings) : 0;
    vector<int> box(106);
    for (int i = 0; i < 106; i++) box[i] = i;
    shuffle(box, random);
    for (int seat = 0; seat < 4; seat++) {
        round.weighs[seat] = !rules.exam && random.fraction() < rules.weighs;
        round.rack[seat] = Rack();
        round.tiles[seat].clear();
        round.turns[seat] = 0, round.memory[seat] = Memory();
        for (int i = 0; seat < round.players && i < (seat ? 14 : 15); i++) {
            give(round, seat, box.back());
            box.pop_back();
        }
    }
    round.stock = box;
    round.pile.clear();
    round.renewed = round.seat = 0, round.winner = -1;
    round.opening = true, round.takes = round.decides = round.over = false;
}

static bool draw(Round &round, Random &random) {
    if (round.stock.empty()) {
        if (round.renewed || round.pile.size() < 2) return false;
        round.renewed = 1;
        round.stock.assign(round.pile.begin(), round.pile.end() - 1);
        round.pile.erase(round.pile.begin(), round.pile.end() - 1);
        shuffle(round.stock, random);
    }
    give(round, round.seat, round.stock.back());
    round.stock.pop_back();
    return true;
}

static void take(Round &round) {
    give(round, round.seat, round.pile.back());
    round.pile.pop_back();
}

static void put(Round &round, int face) {
    int seat = round.seat;
    vector<int> &tiles = round.tiles[seat];
    auto tile = std::find_if(tiles.begin(), tiles.end(), [=](int each) { return face_of(each) == face; });
    Memory &memory = round.memory[seat];
    memory.mine = *tile, memory.place = (int)round.pile.size(), memory.renewed = round.renewed;
    round.pile.push_back(*tile);
    tiles.erase(tile);
    add(round.rack[seat], face, -1);
    round.turns[seat]++;
    round.seat = (seat + 1) % round.players;
    round.takes = true, round.opening = false;
}

static void go_out(Round &round) { round.turns[round.seat]++, round.winner = round.seat, round.over = true; }

static void look(Round &round) {
    Memory &memory = round.memory[round.seat];
    int others = round.players - 1, mine = memory.mine, size = (int)round.pile.size();
    memory.mine = -1;
    if (mine < 0 || round.renewed != memory.renewed) {
        if (others == 1 && size) memory.deeds.push_back({THREW_IT, face_of(round.pile.back())});
        return;
    }
    bool lies = size > memory.place && round.pile[memory.place] == mine;
    memory.deeds.push_back({lies ? LEFT_IT : TOOK_IT, face_of(mine)});
    int after = memory.place + lies;
    if (size - after == others) memory.deeds.push_back({THREW_IT, face_of(round.pile[after])});
}

static Rack unseen_by(const Round &round, int seat) {
    Rack unseen;
    for (int face = 0; face < KINDS; face++) unseen.count[face] = 2 - round.rack[seat].count[face];
    unseen.jokers = 2 - round.rack[seat].jokers;
    for (int tile : round.pile) add(unseen, face_of(tile), -1);
    return unseen;
}

// What `patient` discards of a rack: the loose tile with the fewest tiles that would bring it into a meld.
static int idle(const Round &round, const Rack &rack) {
    lay.of(rack, 1);
    const int8_t *loose = lay.best_loose;
    Rack unseen = unseen_by(round, round.seat);
    int found = -1;
    double least = 0;
    for (int face = 0; face < KINDS; face++) {
        if (!loose[face]) continue;
        double promise = 0;
        for (auto &pair : pairs_with[face]) {
            int wanted = !loose[pair.first] + !loose[pair.second];
            double chance = (loose[pair.first] ? 1 : unseen.count[pair.first]) *
                            (loose[pair.second] ? 1 : unseen.count[pair.second]);
            promise += wanted <= 1 ? chance : 0.05 * chance;
        }
        if (found < 0 || promise < least || (promise == least && points_of[face] > points_of[found]))
            found = face, least = promise;
    }
    return found >= 0 ? found : __builtin_ctzll(faces_of(rack));
}

static bool patient_takes(const Round &round) {
    if (round.pile.empty()) return false;
    Rack rack = round.rack[round.seat];
    int before = lay.of(rack, 1);
    add(rack, face_of(round.pile.back()), 1);
    return lay.of(rack, 1) > before;
}

// What a player sees when it is to discard.
struct Seen {
    Octet told[WIDE];
    Rack unseen;
    int total;
    double patience;  // the chance that nobody else goes out before the next turn, as `threat.py` has it
};

static Seen seen_now(const Round &round) {
    int seat = round.seat;
    const Rack &rack = round.rack[seat];
    const vector<Deed> &deeds = round.memory[seat].deeds;
    Seen seen;
    memset(seen.told, 0, WIDE);
    seen.unseen = unseen_by(round, seat);
    int held[KINDS] = {0}, took = 0;
    for (int i = 0; i < (int)deeds.size(); i++) {
        const Deed &deed = deeds[i];
        took += deed.act == TOOK_IT;
        if (deed.face == JOKER) continue;
        seen.told[(DEEDS + AGES * deed.act + bucket((int)deeds.size() - 1 - i)) * KINDS + deed.face] = 255;
        if (deed.act == LEFT_IT) continue;
        held[deed.face] = std::max(0, held[deed.face] + (deed.act == TOOK_IT ? 1 : -1));
    }
    seen.total = seen.unseen.jokers;
    for (int face = 0; face < KINDS; face++) {
        int there = min(held[face], (int)seen.unseen.count[face]);
        int left = seen.unseen.count[face] -= there;
        seen.total += left;
        seen.told[OWN * KINDS + face] = rack.count[face] >= 1 ? 255 : 0;
        seen.told[OWN_TWICE * KINDS + face] = rack.count[face] >= 2 ? 255 : 0;
        seen.told[UNSEEN * KINDS + face] = left >= 1 ? 255 : 0;
        seen.told[UNSEEN_TWICE * KINDS + face] = left >= 2 ? 255 : 0;
        seen.told[HELD * KINDS + face] = there ? 255 : 0;
    }
    seen.total = std::max(1, seen.total);
    Octet *whole = seen.told + PLANES * KINDS;
    whole[0] = rack.jokers >= 1 ? 255 : 0;
    whole[1] = rack.jokers >= 2 ? 255 : 0;
    whole[2] = seen.unseen.jokers >= 1 ? 255 : 0;
    whole[3] = seen.unseen.jokers >= 2 ? 255 : 0;
    whole[4] = round.players == 3 ? 255 : 0;
    whole[5] = round.players == 4 ? 255 : 0;
    whole[6] = (Octet)min(255, 8 * round.turns[(seat + 1) % round.players]);
    whole[7] = (Octet)min(255, 3 * (int)round.stock.size());
    whole[8] = round.renewed ? 255 : 0;
    whole[9] = (Octet)min(255, 32 * took);
    seen.patience = 1;
    for (int other = 0; other < round.players; other++)
        if (other != seat) seen.patience *= 1 - min(0.15, std::max(0.03, 0.015 * (round.turns[other] + 1)));
    return seen;
}

// Which tiles of the own rack the next player would take (1), go out with (2); 4 for every tile of the rack.
static void label(const Round &round, Octet *labels) {
    Rack rack = round.rack[(round.seat + 1) % round.players];
    const Rack &own = round.rack[round.seat];
    int before = lay.of(rack, 1);
    for (int face = 0; face < KINDS; face++) {
        labels[face] = 0;
        if (!own.count[face]) continue;
        rack.count[face]++;
        int with = lay.of(rack, 1);
        labels[face] = (Octet)(4 + (with > before) + 2 * (with == 14));
        rack.count[face]--;
    }
}

// Takes as the master does: near the end what makes the chances a tenth better, before that what lies in a
// meld.
static bool weighing_takes(const Round &round, const Seen &seen) {
    int offered = face_of(round.pile.back());
    if (offered == JOKER) return true;
    Rack rack = round.rack[round.seat];
    rack.count[offered]++;
    appraisal.of(rack, false, seen.unseen, seen.total, seen.patience);
    double other = 0, same = appraisal.values[offered];
    if (appraisal.away > 2 || same <= 0) return patient_takes(round);
    for (int face = 0; face < KINDS; face++)
        if (face != offered) other = std::max(other, appraisal.values[face]);
    return other > 1.1 * same;
}

static void appraise(Round &round, const Seen &seen) {
    appraisal.of(round.rack[round.seat], false, seen.unseen, seen.total, seen.patience);
    memcpy(round.worth, appraisal.values, sizeof round.worth);
}

static int dearest(const Round &round, const double *values) {
    int found = -1;
    for (int face = 0; face < KINDS; face++) {
        if (!round.rack[round.seat].count[face] || values[face] <= 0) continue;
        if (found < 0 || values[face] > values[found] ||
            (values[face] == values[found] && points_of[face] > points_of[found]))
            found = face;
    }
    return found >= 0 ? found : idle(round, round.rack[round.seat]);
}

// What a learner discards: what a discard leaves of the chances, less what it gives to the next player.
static void decide(const Rules &rules, Round &round, const float *beliefs) {
    double values[KINDS];
    double share = 2.0 / round.players;
    for (int face = 0; face < KINDS; face++) {
        double help = beliefs[2 * face], out = beliefs[2 * face + 1];
        values[face] = round.worth[face] * std::max(0.01, 1 - share * rules.help[round.setting] * help) *
                       std::max(0.01, 1 - share * rules.out[round.setting] * out);
    }
    round.decides = false;
    put(round, dearest(round, values));
}

static void end(const Rules &rules, Worker &worker, const Round &round) {
    if (!rules.exam) return;
    worker.rounds[round.players - 2][round.setting]++;
    worker.wins[round.players - 2][round.setting] += round.winner == round.learner;
}

// One turn, or until a learner is to discard.
static void turn(const Rules &rules, Worker &worker, Round &round, Random &random) {
    bool weighs = round.weighs[round.seat] || round.seat == round.learner;
    if (!round.opening) {
        look(round);
        Rack rack = round.rack[round.seat];
        add(rack, face_of(round.pile.back()), 1);
        if (goes_out(rack)) return go_out(round);
        if (weighs ? weighing_takes(round, seen_now(round)) : patient_takes(round))
            take(round);
        else if (!draw(round, random)) {
            round.over = true;
            return;
        }
        if (goes_out(round.rack[round.seat])) return go_out(round);
    }
    Seen seen;
    bool keeps = !rules.exam && random.fraction() < rules.kept;
    if (weighs || keeps) seen = seen_now(round);
    if (weighs) appraise(round, seen);
    if (keeps) {
        size_t at = worker.seen.size(), to = worker.labels.size();
        worker.seen.resize(at + WIDE), worker.labels.resize(to + KINDS);
        memcpy(&worker.seen[at], seen.told, WIDE);
        label(round, &worker.labels[to]);
    }
    if (round.seat == round.learner) {
        size_t at = worker.seen.size();
        worker.seen.resize(at + WIDE);
        memcpy(&worker.seen[at], seen.told, WIDE);
        round.decides = true;
        return;
    }
    if (!weighs) return put(round, idle(round, round.rack[round.seat]));
    if (random.fraction() < 0.2)  // now and then a rather good one
        for (double &each : round.worth) each *= 0.2 + random.fraction();
    put(round, dearest(round, round.worth));
}

template <class Work>
static void share(Engine *engine, Work work) {
    vector<std::thread> threads;
    for (size_t i = 0; i < engine->workers.size(); i++)
        threads.emplace_back([=] { work(i, engine->workers[i]); });
    for (auto &thread : threads) thread.join();
}

extern "C" {
int wide() { return WIDE; }

Engine *make(int rounds, int workers, Word seed) {
    prepare();
    Engine *engine = new Engine();
    engine->rounds.resize(rounds), engine->random.resize(rounds), engine->workers.resize(workers);
    for (int i = 0; i < rounds; i++) engine->random[i].state = seed * 1000003ull + i * 0x632BE59BD9B4E019ull;
    return engine;
}

// Rounds of two and three, seats that weigh, decisions kept, exam or not; then pairs of settings.
void rules(Engine *engine, const double *told, int settings) {
    Rules &rules = engine->rules;
    rules.two = told[0], rules.three = told[1], rules.weighs = told[2], rules.kept = told[3];
    rules.exam = told[4] > 0, rules.settings = settings;
    for (int i = 0; i < settings; i++) rules.help[i] = told[5 + 2 * i], rules.out[i] = told[6 + 2 * i];
    for (size_t i = 0; i < engine->rounds.size(); i++) begin(rules, engine->rounds[i], engine->random[i]);
    for (Worker &worker : engine->workers) worker = Worker();
}

// So many turns of every round, or until a learner decides; says how many were seen.
long step(Engine *engine, int turns, const float *beliefs) {
    size_t many = engine->rounds.size(), parts = engine->workers.size();
    share(engine, [=](size_t part, Worker &worker) {
        worker.seen.clear(), worker.labels.clear();
        for (size_t i = many * part / parts; i < many * (part + 1) / parts; i++) {
            Round &round = engine->rounds[i];
            if (round.decides) decide(engine->rules, round, beliefs + 2 * KINDS * i);
            for (int n = 0; !round.decides && (engine->rules.exam || n < turns); n++) {
                turn(engine->rules, worker, round, engine->random[i]);
                if (!round.over) continue;
                end(engine->rules, worker, round);
                begin(engine->rules, round, engine->random[i]);
            }
        }
    });
    long seen = 0;
    for (Worker &worker : engine->workers) seen += worker.seen.size() / WIDE;
    return seen;
}

void fetch(Engine *engine, Octet *seen, Octet *labels) {
    vector<Octet *> seens, labelled;
    for (Worker &worker : engine->workers) {
        seens.push_back(seen), labelled.push_back(labels);
        seen += worker.seen.size(), labels += worker.labels.size();
    }
    share(engine, [=](size_t part, Worker &worker) {
        memcpy(seens[part], worker.seen.data(), worker.seen.size());
        if (!worker.labels.empty()) memcpy(labelled[part], worker.labels.data(), worker.labels.size());
    });
}

void tally(Engine *engine, double *told) {
    for (int players = 0; players < 3; players++)
        for (int setting = 0; setting < 64; setting++, told += 2)
            for (Worker &worker : engine->workers) {
                told[0] += worker.rounds[players][setting];
                told[1] += worker.wins[players][setting];
            }
}
}
