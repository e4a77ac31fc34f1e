"""The tables: what each row holds. Migrations bring a database to this shape."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

metadata = MetaData()

# The log. The primary key is the concurrency check: a place of a room's log is written once.
room_events = Table(
    "room_events",
    metadata,
    Column("room", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("event", LargeBinary, nullable=False),
    sqlite_with_rowid=False,  # the events of a room lie side by side, and one tree is written, not two
)

# What lists of rooms show; always computable from the log.
room_cards = Table(
    "room_cards",
    metadata,
    Column("room", String(16), primary_key=True),
    Column("stage", String(8), nullable=False),
    Column("public", Boolean(create_constraint=False), nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("card", LargeBinary, nullable=False),
)
Index("room_cards_by_stage", room_cards.c.stage, room_cards.c.public, room_cards.c.changed_at)

people_in_rooms = Table(
    "people_in_rooms",
    metadata,
    Column("player", String(40), primary_key=True),
    Column("room", String(16), ForeignKey("room_cards.room", ondelete="CASCADE"), primary_key=True),
    sqlite_with_rowid=False,
)
Index("people_in_rooms_by_room", people_in_rooms.c.room)

finished_games = Table(
    "finished_games",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("ended_at", BigInteger, nullable=False),
    Column("summary", LargeBinary, nullable=False),
    Column("record", Text, nullable=False),
)
Index("finished_games_by_time", finished_games.c.ended_at, finished_games.c.id)

people_in_games = Table(
    "people_in_games",
    metadata,
    Column("player", String(40), primary_key=True),
    Column("game", String(40), ForeignKey("finished_games.id", ondelete="CASCADE"), primary_key=True),
    Column("ended_at", BigInteger, nullable=False),
)
Index("people_in_games_by_time", people_in_games.c.player, people_in_games.c.ended_at)
Index("people_in_games_by_game", people_in_games.c.game)

# One seat of a person in a finished game, in numbers; always computable from its record. `judged` is how many
# turns were compared with the best play, null until they have been.
played_games = Table(
    "played_games",
    metadata,
    Column("game", String(40), ForeignKey("finished_games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(40), nullable=False),
    Column("book", String(40), nullable=False),
    Column("ended_at", BigInteger, nullable=False),
    Column("counts", Boolean(create_constraint=False), nullable=False),
    Column("people", Integer, nullable=False),
    Column("won", Boolean(create_constraint=False), nullable=False),
    Column("score", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("opened", Integer),
    Column("missed", Integer, nullable=False),
    Column("judged", Integer),
)
Index("played_games_by_player", played_games.c.player, played_games.c.ended_at)

# `profile` is the public id.
players = Table(
    "players",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("language", String(2), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("profile", String(24)),
    Column("avatar", String(11), nullable=False, server_default=""),
)
Index("players_by_profile", players.c.profile, unique=True)

# `key` is the name in lower case, so that Ada and ada are one account. With `passkey_only` the password does
# not open it any more.
accounts = Table(
    "accounts",
    metadata,
    Column("key", String(24), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("player", String(40), ForeignKey("players.id"), nullable=False, unique=True),
    Column("password", String(200), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("passkey_only", Boolean(create_constraint=False), nullable=False, server_default=false()),
)

# Who signed in from a guest's session: what that guest played, and still plays, belongs to the account.
former_guests = Table(
    "former_guests",
    metadata,
    Column("guest", String(40), ForeignKey("players.id"), primary_key=True),
    Column("player", String(40), ForeignKey("players.id"), nullable=False),
)
Index("former_guests_by_player", former_guests.c.player)

# Somebody's friend: both have to have said so. One alone is a request.
friends = Table(
    "friends",
    metadata,
    Column("player", String(40), ForeignKey("players.id"), primary_key=True),
    Column("friend", String(40), ForeignKey("players.id"), primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("friends_by_friend", friends.c.friend)

blocks = Table(
    "blocks",
    metadata,
    Column("player", String(40), ForeignKey("players.id"), primary_key=True),
    Column("blocked", String(40), ForeignKey("players.id"), primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("blocks_by_blocked", blocks.c.blocked)

invitations = Table(
    "invitations",
    metadata,
    Column("room", String(16), ForeignKey("room_cards.room", ondelete="CASCADE"), primary_key=True),
    Column("player", String(40), ForeignKey("players.id"), primary_key=True),
    Column("inviter", String(40), ForeignKey("players.id"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
Index("invitations_by_player", invitations.c.player)

# Of secrets only the hashes are kept: whoever reads the database can sign in as nobody. `used_at` is noted at
# most once a day.
sessions = Table(
    "sessions",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("player", String(40), ForeignKey("players.id"), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("proved_at", BigInteger),
    Column("used_at", BigInteger),
)
Index("sessions_by_player", sessions.c.player)
Index("sessions_by_end", sessions.c.expires_at)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("player", String(40), ForeignKey("players.id"), nullable=False),
    Column("label", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
    Column("scopes", String(60), nullable=False, server_default="read play social"),
    Column("expires_at", BigInteger, nullable=False, server_default="0"),
)
Index("tokens_by_player", tokens.c.player)

# A key pair of somebody's device, which opens their account without a password; only its public half is here.
passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("credential_hash", String(64), nullable=False, unique=True),
    Column("credential", Text, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("uses", BigInteger, nullable=False),
    Column("player", String(40), ForeignKey("players.id"), nullable=False),
    Column("label", String(40), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
)
Index("passkeys_by_player", passkeys.c.player)

# Who left a game that others were playing, and when.
walkouts = Table(
    "walkouts",
    metadata,
    Column("player", String(40), primary_key=True),
    Column("at", BigInteger, primary_key=True, autoincrement=False),
    Column("room", String(16), primary_key=True),
    sqlite_with_rowid=False,
)
Index("walkouts_by_time", walkouts.c.at)

# Who may not play here; `until` 0 is for good.
bans = Table(
    "bans",
    metadata,
    Column("player", String(40), ForeignKey("players.id"), primary_key=True),
    Column("until", BigInteger, nullable=False),
    Column("reason", String(200), nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

# What whoever runs the server has switched off, and when.
switched_off = Table(
    "switched_off",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("since", BigInteger, nullable=False),
)

# Games that whoever runs the server wants ended; the server that has the room does it. `outcome` is empty
# where it was done, else the code of the refusal.
games_to_end = Table(
    "games_to_end",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("room", String(16), nullable=False),
    Column("reason", String(200), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("done_at", BigInteger),
    Column("outcome", String(40)),
)

# Where players of slow games are told of their turn; one browser belongs to one session.
push_subscriptions = Table(
    "push_subscriptions",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("endpoint_hash", String(64), nullable=False, unique=True),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("site", String(200), nullable=False),
    Column("player", String(40), ForeignKey("players.id"), nullable=False),
    Column("session", String(64), nullable=False),
    Column("created_at", BigInteger, nullable=False),
)
Index("push_subscriptions_by_player", push_subscriptions.c.player)
Index("push_subscriptions_by_session", push_subscriptions.c.session)

# Puzzles of accounts. `number` counts somebody's attempts, `day` days since 1970; `daily` is the puzzle
# of that day, and `rating` the player's for this book after it.
puzzle_attempts = Table(
    "puzzle_attempts",
    metadata,
    Column("player", String(40), ForeignKey("players.id"), primary_key=True),
    Column("puzzle", String(16), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("book", String(40), nullable=False),
    Column("solved", Boolean(create_constraint=False), nullable=False),
    Column("daily", Boolean(create_constraint=False), nullable=False),
    Column("day", Integer, nullable=False),
    Column("rating", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)
Index("puzzle_attempts_in_order", puzzle_attempts.c.player, puzzle_attempts.c.number, unique=True)

puzzle_players = Table(
    "puzzle_players",
    metadata,
    Column("player", String(40), ForeignKey("players.id"), primary_key=True),
    Column("book", String(40), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("day", Integer, nullable=False),
)

# What players have made of a puzzle; one that nobody has tried has its prior.
puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", String(16), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("day", Integer, nullable=False),
)

# The longest streak and the best timed round.
puzzle_rows = Table(
    "puzzle_rows",
    metadata,
    Column("player", String(40), ForeignKey("players.id"), primary_key=True),
    Column("streak", Integer, nullable=False),
    Column("round", Integer, nullable=False),
)

# Nodes that share this database, and until when each is taken to be alive: milliseconds of the database's
# own clock. Empty where there is one server.
nodes = Table(
    "nodes",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("seen_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)

# Which node a live room belongs to. `epoch` grows with each change of hands and is part of the condition of
# every append: whoever was overtaken writes nothing more. `left_at` is when a room was given back.
room_leases = Table(
    "room_leases",
    metadata,
    Column("room", String(16), primary_key=True),
    Column("node", String(24), nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("left_at", BigInteger),
)
Index("room_leases_by_node", room_leases.c.node)

# Championships that are kept here instead of in files. `revision` grows with every change and is the
# condition of the next one; `rewritten` is the revision in which somebody was last erased. `card` is what the
# list shows.
championships = Table(
    "championships",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("rewritten", Integer, nullable=False),
    Column("has_rooms", Boolean(create_constraint=False), nullable=False),
    Column("card", LargeBinary),
)

# The lines of its log, of its hall and of its commands' ids, byte for byte as a file would have them.
championship_lines = Table(
    "championship_lines",
    metadata,
    Column("championship", String(8), ForeignKey("championships.code", ondelete="CASCADE"), primary_key=True),
    Column("file", String(12), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("line", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

# Its keys, seeds and photos; `revision` is that of its last change.
championship_files = Table(
    "championship_files",
    metadata,
    Column("championship", String(8), ForeignKey("championships.code", ondelete="CASCADE"), primary_key=True),
    Column("name", String(80), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

leagues = Table(
    "leagues",
    metadata,
    Column("code", String(8), primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

meta = Table(
    "meta",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", String(200), nullable=False),
)
