"""Meldroom without a server: the rooms and the HTTP interface of one device.

It runs where Python runs in a browser (Pyodide, in a Web Worker), on a store that JavaScript brings:

    home = await open_home(store)
    status, headers, body = await home.request("GET", "/catalogue", "language=fr", None)
    connection = home.connect(send)
    connection.receive('{"do": "hello", "id": "1", "version": 2}')

The rooms are those of the server (`meldroom.rooms`), and so are the answers (`meldroom.api`): there is one
judge. What differs is around them. One person plays, against bots that think in the same thread; a game goes
on when its room is entered; whatever is answered is in the store first. Nothing here needs numba, numpy,
threads or a network.
"""

from meldroom.browser.home import Home, open_home

__all__ = ["Home", "open_home"]
