// Rounds of Rummy-O in which everybody holds until the whole rack goes out, many at once, for learning.
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

static const int KINDS = 52, JOKER = 52, PLANES = 10, TOLD = 24, WIDE = KINDS * PLANES + TOLD;
enum Plane { OWN, OWN_TWICE, UNSEEN, UNSEEN_TWICE, HELD, THREW, LEFT, DISCARD, OUTS, TOOK };

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
static Octet faded[256];

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
    for (int age = 0; age < 256; age++) faded[age] = (Octet)lround(255 * pow(0.92, age));
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
struct Lesson {
    Octet seen[WIDE];
    float value, best;
    bool experiment;
};
static int face_of(int tile) { return tile < 104 ? tile / 2 : JOKER; }

struct Round {
    int players, seat, renewed, winner;
    bool learns[4], imitates[4], opening, takes, decides, over;
    Rack rack[4];
    vector<int> tiles[4], stock, pile;
    int turns[4];
    Memory memory[4];
    vector<Lesson> lessons[4];
    int first, choices, discard[20];
    bool takes_it[20];
    double worth[20];
};
struct Rules {
    double doubt, heat, wild, trace, imitates, alike, two, three;
    bool exam;
};
struct Tally {
    double rounds[3][2], wins[3][2], turns[3][2];
};
struct Worker {
    vector<Octet> choices;
    vector<Lesson> lessons;
    vector<float> came;
    Tally tally;
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
    bool alike = random.fraction() < rules.alike;
    int learner = random.below(round.players);
    vector<int> box(106);
    for (int i = 0; i < 106; i++) box[i] = i;
    shuffle(box, random);
    for (int seat = 0; seat < 4; seat++) {
        round.learns[seat] = alike || seat == learner;
        round.imitates[seat] = round.learns[seat] && random.fraction() < rules.imitates;
        round.rack[seat] = Rack();
        round.tiles[seat].clear(), round.lessons[seat].clear();
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

// What a player sees before a choice; what the choice changes is filled in later.
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
    for (const Deed &deed : deeds) {
        took += deed.act == TOOK_IT;
        if (deed.face == JOKER || deed.act == LEFT_IT) continue;
        held[deed.face] = std::max(0, held[deed.face] + (deed.act == TOOK_IT ? 1 : -1));
    }
    seen.total = seen.unseen.jokers;
    for (int face = 0; face < KINDS; face++) {
        int there = min(held[face], (int)seen.unseen.count[face]);
        int left = seen.unseen.count[face] -= there;
        seen.total += left;
        seen.told[UNSEEN * KINDS + face] = left >= 1 ? 255 : 0;
        seen.told[UNSEEN_TWICE * KINDS + face] = left >= 2 ? 255 : 0;
        seen.told[HELD * KINDS + face] = there ? 255 : 0;
    }
    seen.total = std::max(1, seen.total);
    for (int age = 0; age < (int)deeds.size(); age++) {
        const Deed &deed = deeds[deeds.size() - 1 - age];
        if (deed.face == JOKER) continue;
        int plane = deed.act == TOOK_IT ? TOOK : deed.act == LEFT_IT ? LEFT : THREW;
        Octet &place = seen.told[plane * KINDS + deed.face];
        if (!place) place = faded[min(age, 255)];
    }
    Octet *whole = seen.told + PLANES * KINDS;
    whole[0] = rack.jokers == 1 ? 255 : 0;
    whole[1] = rack.jokers >= 2 ? 255 : 0;
    whole[2] = seen.unseen.jokers >= 1 ? 255 : 0;
    whole[3] = seen.unseen.jokers >= 2 ? 255 : 0;
    whole[5] = round.players == 3 ? 255 : 0;
    whole[6] = round.players == 4 ? 255 : 0;
    whole[7] = (Octet)min(255, 8 * round.turns[(seat + 1) % round.players]);
    whole[8] = (Octet)min(255, 3 * (int)round.stock.size());
    whole[9] = round.renewed ? 255 : 0;
    whole[10] = (Octet)min(255, 32 * took);
    seen.patience = 1;
    for (int other = 0; other < round.players; other++)
        if (other != seat) seen.patience *= 1 - min(0.15, std::max(0.03, 0.015 * (round.turns[other] + 1)));
    return seen;
}

static Octet shade(double value) { return (Octet)(255 * std::max(0.0, min(1.0, value)) + 0.5); }

static Octet *choice(Worker &worker, Round &round, const Seen &seen, const Rack &rack, int face,
                     double best) {
    size_t place = worker.choices.size();
    worker.choices.resize(place + WIDE);
    Octet *told = &worker.choices[place], *whole = told + PLANES * KINDS;
    memcpy(told, seen.told, WIDE);
    for (int each = 0; each < KINDS; each++) {
        told[OWN * KINDS + each] = rack.count[each] >= 1 ? 255 : 0;
        told[OWN_TWICE * KINDS + each] = rack.count[each] >= 2 ? 255 : 0;
    }
    double worth = appraisal.values[face];
    whole[11] = best > 0 ? shade(worth / best) : 0;
    whole[12] = worth > 0 ? shade(1 + log10(worth) / 8) : 0;
    whole[13] = worth > 0 ? 0 : 255;
    whole[14 + std::max(0, min(5, appraisal.away - 1))] = 255;
    whole[20] = shade(worth);
    Word outs = appraisal.outs[face];
    int count = outs ? seen.unseen.jokers : 0;
    for (int each = 0; each < KINDS; each++)
        if (outs >> each & 1) {
            told[OUTS * KINDS + each] = 255;
            count += seen.unseen.count[each];
        }
    whole[21] = outs ? 255 : 0;
    whole[22] = (Octet)min(255, 1020 * count / seen.total);
    round.worth[round.choices++] = worth;
    return told;
}

static void discards(Worker &worker, Round &round, const Seen &seen, const Rack &whole, int kept,
                     bool taking) {
    appraisal.of(whole, false, seen.unseen, seen.total, seen.patience);
    double best = *std::max_element(appraisal.values, appraisal.values + KINDS);
    Rack rack = whole;
    for (int face = 0; face < KINDS; face++) {
        if (!whole.count[face] || face == kept) continue;
        rack.count[face]--;
        round.discard[round.choices] = face, round.takes_it[round.choices] = taking;
        choice(worker, round, seen, rack, face, best)[DISCARD * KINDS + face] = 255;
        rack.count[face]++;
    }
}

static int imitated(const Round &round) {
    Rack rack = round.rack[round.seat];
    bool taking = round.takes && patient_takes(round);
    if (round.takes && !taking) return round.choices - 1;
    if (taking) add(rack, face_of(round.pile.back()), 1);
    int face = idle(round, rack), found = -1;
    for (int i = 0; i < round.choices; i++) {
        if (round.discard[i] < 0 || round.takes_it[i] != taking) continue;
        if (found < 0 || round.worth[i] > round.worth[found]) found = i;
    }
    for (int i = 0; i < round.choices && (found < 0 || round.worth[found] == 0); i++)
        if (round.discard[i] == face && round.takes_it[i] == taking) return i;
    return found < 0 ? round.choices - 1 : found;
}

static void decide(const Rules &rules, Round &round, Random &random, const Octet *told, const float *values) {
    int seat = round.seat, many = round.choices;
    int best = (int)(std::max_element(values, values + many) - values), chosen = best;
    if (round.imitates[seat] && random.fraction() < 0.85)
        chosen = imitated(round);
    else if (round.imitates[seat] || random.fraction() < rules.doubt) {
        if (random.fraction() < rules.wild)
            chosen = random.below(many);
        else {
            double weights[20], rest = 0;
            for (int i = 0; i < many; i++) rest += weights[i] = exp((values[i] - values[best]) / rules.heat);
            rest *= random.fraction();
            for (chosen = 0; chosen < many - 1; chosen++)
                if ((rest -= weights[chosen]) < 0) break;
        }
    }
    round.decides = false;
    if (!rules.exam) {
        round.lessons[seat].emplace_back();
        Lesson &lesson = round.lessons[seat].back();
        memcpy(lesson.seen, told + (size_t)chosen * WIDE, WIDE);
        lesson.value = values[chosen], lesson.best = values[best];
        lesson.experiment = chosen != best && !round.imitates[seat];
    }
    if (!round.takes)
        put(round, round.discard[chosen]);
    else if (round.takes_it[chosen])
        take(round), put(round, round.discard[chosen]);
    else if (!draw(round, random))
        round.over = true;
    else if (goes_out(round.rack[seat]))
        go_out(round);
    else
        round.takes = false;
}

static void end(const Rules &rules, Worker &worker, const Round &round) {
    bool alike = true;
    for (int seat = 0; seat < round.players; seat++) alike = alike && round.learns[seat];
    for (int seat = 0; seat < round.players; seat++) {
        if (!round.learns[seat]) continue;
        worker.tally.rounds[round.players - 2][alike]++;
        worker.tally.wins[round.players - 2][alike] += round.winner == seat;
        worker.tally.turns[round.players - 2][alike] += round.turns[seat];
        double came = round.winner == seat;
        for (int i = (int)round.lessons[seat].size() - 1; i >= 0; i--) {
            const Lesson &lesson = round.lessons[seat][i];
            worker.lessons.push_back(lesson);
            worker.came.push_back((float)came);
            came = lesson.experiment ? lesson.best : (1 - rules.trace) * lesson.value + rules.trace * came;
        }
    }
}

static void patient(Round &round, Random &random) {
    if (!round.opening) {
        if (patient_takes(round))
            take(round);
        else if (!draw(round, random)) {
            round.over = true;
            return;
        }
        if (goes_out(round.rack[round.seat])) return go_out(round);
    }
    put(round, idle(round, round.rack[round.seat]));
}

// Goes on to the next decision of a learner and writes its choices down.
static void go_on(const Rules &rules, Worker &worker, Round &round, Random &random) {
    for (;;) {
        if (round.over) {
            end(rules, worker, round);
            begin(rules, round, random);
        }
        if (!round.learns[round.seat]) {
            patient(round, random);
            continue;
        }
        Rack rack = round.rack[round.seat];
        int offered = -1;
        if (round.takes) {
            look(round);
            offered = face_of(round.pile.back());
            add(rack, offered, 1);
            if (goes_out(rack)) {
                go_out(round);
                continue;
            }
            if (offered == JOKER) take(round), round.takes = false;
        }
        round.choices = 0, round.first = (int)(worker.choices.size() / WIDE), round.decides = true;
        Seen seen = seen_now(round);
        discards(worker, round, seen, rack, round.takes ? offered : -1, round.takes);
        if (round.takes) {
            const Rack &own = round.rack[round.seat];
            appraisal.of(own, true, seen.unseen, seen.total, seen.patience);
            double worth = appraisal.values[DUMMY];
            round.discard[round.choices] = -1, round.takes_it[round.choices] = false;
            choice(worker, round, seen, own, DUMMY, worth)[PLANES * KINDS + 4] = 255;
        }
        return;
    }
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
    Engine *engine = new Engine;
    engine->rounds.resize(rounds), engine->random.resize(rounds), engine->workers.resize(workers);
    for (int i = 0; i < rounds; i++) engine->random[i].state = seed * 1000003ull + i * 0x632BE59BD9B4E019ull;
    return engine;
}

void discard_engine(Engine *engine) { delete engine; }

void rules(Engine *engine, const double *told) {
    engine->rules = {told[0], told[1], told[2], told[3], told[4], told[5], told[6], told[7], told[8] > 0};
}

void deal(Engine *engine) {
    for (size_t i = 0; i < engine->rounds.size(); i++)
        begin(engine->rules, engine->rounds[i], engine->random[i]);
    for (Worker &worker : engine->workers)
        worker.tally = Tally(), worker.lessons.clear(), worker.came.clear();
}

// Decides by what was thought of the choices told before; says how many choices there are now.
long step(Engine *engine, const Octet *told, const float *values) {
    size_t many = engine->rounds.size(), parts = engine->workers.size();
    share(engine, [=](size_t part, Worker &worker) {
        worker.choices.clear();
        for (size_t i = many * part / parts; i < many * (part + 1) / parts; i++) {
            Round &round = engine->rounds[i];
            Random &random = engine->random[i];
            if (round.decides)
                decide(engine->rules, round, random, told + (size_t)round.first * WIDE, values + round.first);
            go_on(engine->rules, worker, round, random);
        }
    });
    long before = 0;
    for (size_t part = 0; part < parts; part++) {
        for (size_t i = many * part / parts; i < many * (part + 1) / parts; i++)
            engine->rounds[i].first += before;
        before += engine->workers[part].choices.size() / WIDE;
    }
    return before;
}

void choices(Engine *engine, Octet *room) {
    vector<Octet *> places;
    for (Worker &worker : engine->workers) places.push_back(room), room += worker.choices.size();
    share(engine, [=](size_t part, Worker &worker) {
        memcpy(places[part], worker.choices.data(), worker.choices.size());
    });
}

long samples(Engine *engine) {
    long many = 0;
    for (Worker &worker : engine->workers) many += worker.lessons.size();
    return many;
}

void take_samples(Engine *engine, Octet *seen, float *came) {
    for (Worker &worker : engine->workers) {
        for (size_t i = 0; i < worker.lessons.size(); i++) {
            memcpy(seen, worker.lessons[i].seen, WIDE);
            *came++ = worker.came[i];
            seen += WIDE;
        }
        worker.lessons.clear(), worker.came.clear();
    }
}

void tally(Engine *engine, double *told) {
    for (int players = 0; players < 3; players++)
        for (int alike = 0; alike < 2; alike++, told += 3)
            for (Worker &worker : engine->workers) {
                told[0] += worker.tally.rounds[players][alike];
                told[1] += worker.tally.wins[players][alike];
                told[2] += worker.tally.turns[players][alike];
            }
    for (Worker &worker : engine->workers) worker.tally = Tally();
}
}
