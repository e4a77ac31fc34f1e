// A bot in JavaScript for node, without packages: lays whole sets from its rack and adds single tiles to
// sets on the table. It knows no jokers and never takes a set apart. In Rummy-O it takes and discards.
//
// meldroom plays it as any other bot:  command = ["node", "examples/bots/draws_and_lays.mjs"]

import { createInterface } from "node:readline";

const colour = (tile) => tile[0];
const number = (tile) => Number(tile.slice(1));
const beside = (tile, step) => colour(tile) + (number(tile) + step);
const isRun = (tiles) => colour(tiles[0]) === colour(tiles[1]);

/** The longest run or group on the rack, or an empty list. */
function longestSet(rack) {
  const tiles = new Set(rack);
  let best = [];
  for (const tile of tiles) {
    const run = [tile];
    while (tiles.has(beside(run.at(-1), 1))) run.push(beside(run.at(-1), 1));
    const group = [...tiles].filter((other) => number(other) === number(tile));
    for (const found of [run, group]) if (found.length > best.length) best = found;
  }
  return best;
}

/** Takes whole sets out of the rack, the longest first. */
function wholeSets(rack, shortest) {
  const sets = [];
  for (;;) {
    const found = longestSet(rack);
    if (found.length < shortest) return sets;
    for (const tile of found) rack.splice(rack.indexOf(tile), 1);
    sets.push(found);
  }
}

/** The set with the tile in its place, or null if it does not fit. */
function withTile(tiles, tile, colours) {
  if (isRun(tiles)) {
    const run = [...tiles].sort((a, b) => number(a) - number(b));
    if (tile === beside(run.at(-1), 1)) return [...run, tile];
    if (tile === beside(run[0], -1)) return [tile, ...run];
    return null;
  }
  const fits = tiles.length < colours && number(tile) === number(tiles[0]) && !tiles.includes(tile);
  return fits ? [...tiles, tile] : null;
}

/** Puts one tile of the rack on the table; false if none fits. */
function addOne(rack, table, colours) {
  for (const [place, tiles] of table.entries()) {
    if (tiles.includes("*")) continue;
    for (const tile of rack) {
      const longer = withTile(tiles, tile, colours);
      if (longer) {
        table[place] = longer;
        rack.splice(rack.indexOf(tile), 1);
        return true;
      }
    }
  }
  return false;
}

/** The table after everything was laid that was found, or null if there is nothing to lay. */
function laid(rules, view) {
  const rack = view.rack.filter((tile) => tile !== "*");
  const table = view.table.map((tiles) => [...tiles]);
  const sets = wholeSets(rack, rules.sets.shortest);
  if (!view.melded[view.me]) {
    // The opening comes from the rack alone and needs its points, under some books a run as well.
    const points = sets.flat().reduce((sum, tile) => sum + number(tile), 0);
    const enough = points >= rules.opening.points && (!rules.opening.run_required || sets.some(isRun));
    return sets.length && enough ? [...table, ...sets] : null;
  }
  table.push(...sets);
  let added = sets.length > 0;
  while (addOne(rack, table, rules.tiles.colours.length)) added = true;
  return added ? table : null;
}

/** What can always be done. */
function wait({ actions, view }) {
  if (actions.includes("take")) return { type: "take", source: "stock" };
  if (actions.includes("discard")) return { type: "discard", tile: view.rack.at(-1) };
  return { type: actions.includes("draw") ? "draw" : "pass" };
}

let game = null;
let asked = null;

function answer(message) {
  switch (message.type) {
    case "hello":
      return { type: "ready", protocol: 1, name: "Draws and lays" };
    case "new_game":
      game = message;
      return null;
    case "turn": {
      asked = message;
      const table = message.actions.includes("lay") ? laid(game.rules, message.view) : null;
      return table ? { type: "lay", table } : wait(message);
    }
    case "refused":
      return message.again ? wait(asked) : null;
    case "quit":
      process.exit(0);
    default:
      return null;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const reply = answer(message);
  if (reply) process.stdout.write(JSON.stringify({ id: message.id, ...reply }) + "\n");
}
