#!/usr/bin/env python3
"""A client of `autotune mcp` that speaks the protocol as its specification says.

mcp_client.py PROGRAM SCENARIO, in a repository with a task. Ends with 0 when
the server did what the scenario expects, else with a traceback.
"""

import json
import os
import queue
import signal
import subprocess
import sys
import threading

PROGRAM = sys.argv[1]
PATIENCE = 60  # seconds; only ever waited for by a server that does not answer
MODERN = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': {'name': 'test', 'version': '1'},
    'io.modelcontextprotocol/clientCapabilities': {},
}


class Server:
    """The server as a child, its messages in a queue."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [PROGRAM, *options, 'mcp'], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        self.progress = []
        self.next_id = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.messages.put(json.loads(line))
        self.messages.put(None)

    def write(self, text):
        self.process.stdin.write(text if isinstance(text, bytes)
                                 else text.encode())
        self.process.stdin.flush()

    def send(self, **message):
        self.write(json.dumps({'jsonrpc': '2.0', **message}) + '\n')

    def receive(self):
        """The next message that is no progress."""
        while True:
            message = self.messages.get(timeout=PATIENCE)
            if message is None:
                return None
            assert message['jsonrpc'] == '2.0', message
            if message.get('method') != 'notifications/progress':
                return message
            self.progress.append(message['params'])

    def ask(self, method, params=None, **extra):
        self.next_id += 1
        message = {'id': self.next_id, 'method': method, **extra}
        if params is not None:
            message['params'] = params
        self.send(**message)
        return self.next_id

    def request(self, method, params=None):
        asked = self.ask(method, params)
        answer = self.receive()
        assert answer['id'] == asked, answer
        return answer

    def result(self, method, params=None):
        answer = self.request(method, params)
        assert 'result' in answer, answer
        return answer['result']

    def error(self, method, params=None):
        answer = self.request(method, params)
        return answer['error']['code'], answer['error']['message']

    def open(self, version='2025-11-25'):
        result = self.result('initialize', {
            'protocolVersion': version, 'capabilities': {},
            'clientInfo': {'name': 'test', 'version': '1'}})
        self.send(method='notifications/initialized')
        return result

    def ask_tool(self, tool, arguments=None, **meta):
        params = {'name': tool, 'arguments': arguments or {}}
        if meta:
            params['_meta'] = meta
        return self.ask('tools/call', params)

    def tool(self, tool, **arguments):
        return self.result('tools/call',
                           {'name': tool, 'arguments': arguments})

    def answer(self, tool, **arguments):
        """The verb's own JSON, of a call that succeeded."""
        result = self.tool(tool, **arguments)
        assert result['isError'] is False, result
        assert json.loads(result['content'][0]['text']) == \
            result['structuredContent']
        return result['structuredContent']

    def close(self):
        self.process.stdin.close()
        assert self.receive() is None
        return self.process.wait(timeout=PATIENCE)


def run(*arguments):
    """The verb on the command line: its exit code and its JSON."""
    done = subprocess.run([PROGRAM, *arguments, '--json'],
                          stdout=subprocess.PIPE, check=False)
    return done.returncode, json.loads(done.stdout)


def work(worktree, units):
    with open(os.path.join(worktree, 'src', 'knob.txt'), 'w') as file:
        file.write(f'{units}\n')
    subprocess.run(['git', 'commit', '-qam', 'work'], cwd=worktree, check=True)


def children(pid):
    with open(f'/proc/{pid}/task/{pid}/children') as file:
        return file.read().split()


def rows():
    return run('show', 'ledger')[1]['text'].count('[[metric]]')


def scenario_handshake():
    for asked, spoken in [('2025-11-25', '2025-11-25'),
                          ('2025-06-18', '2025-06-18'),
                          ('2024-11-05', '2024-11-05'),
                          ('2025-03-26', '2025-11-25'),
                          ('1900-01-01', '2025-11-25')]:
        server = Server()
        code, message = server.error('tools/list')
        assert code == -32602 and 'initialize' in message, message
        assert server.result('ping') == {}
        result = server.open(asked)
        assert result['protocolVersion'] == spoken, result
        assert result['capabilities'] == {'tools': {}}
        assert result['serverInfo']['name'] == 'autotune'
        assert server.result('ping') == {}
        assert server.close() == 0


def scenario_without_handshake():
    server = Server()
    found = server.result('server/discover', {'_meta': MODERN})
    assert found['supportedVersions'] == ['2026-07-28'], found
    assert found['resultType'] == 'complete'
    assert found['capabilities'] == {'tools': {}}
    assert found['_meta']['io.modelcontextprotocol/serverInfo']['name'] == \
        'autotune'
    listed = server.result('tools/list', {'_meta': MODERN})
    assert listed['cacheScope'] == 'public' and listed['ttlMs'] > 0
    assert len(listed['tools']) == 6
    called = server.result('tools/call', {'name': 'status', '_meta': MODERN})
    assert called['resultType'] == 'complete' and not called['isError']
    # Nothing is remembered from one request to the next.
    assert server.error('tools/list')[0] == -32602
    assert server.error('server/discover')[0] == -32602
    other = dict(MODERN, **{
        'io.modelcontextprotocol/protocolVersion': '1900-01-01'})
    refused = server.request('tools/list', {'_meta': other})['error']
    assert refused['code'] == -32022, refused
    assert refused['data'] == {'supported': ['2026-07-28'],
                               'requested': '1900-01-01'}
    short = {key: MODERN[key] for key in MODERN if 'Capab' not in key}
    assert server.error('tools/list', {'_meta': short})[0] == -32602
    assert server.error('tools/list', {'_meta': 3})[0] == -32602
    assert server.close() == 0


def scenario_tools():
    server = Server()
    server.open()
    tools = {tool['name']: tool
             for tool in server.result('tools/list')['tools']}
    assert list(tools) == ['next', 'start', 'check', 'decide', 'status', 'log']
    hints = {name: tuple(tool['annotations'][hint] for hint in
                         ('readOnlyHint', 'destructiveHint', 'idempotentHint',
                          'openWorldHint'))
             for name, tool in tools.items()}
    assert hints == {'next': (True, False, True, False),
                     'start': (False, False, True, False),
                     'check': (False, False, True, False),
                     'decide': (False, True, True, False),
                     'status': (True, False, True, False),
                     'log': (False, False, True, False)}, hints
    start = tools['start']['inputSchema']
    assert start['type'] == 'object'
    assert start['additionalProperties'] is False
    assert start['required'] == ['approach']
    assert {name: schema['type']
            for name, schema in start['properties'].items()} == {
                'approach': 'string', 'hypothesis': 'string',
                'targets': 'string', 'expect': 'string',
                'no_profile': 'string', 'include': 'array',
                'preserve': 'boolean', 'details': 'string',
                'dry_run': 'boolean', 'task': 'string'}
    assert start['properties']['include']['items'] == {'type': 'string'}
    assert tools['log']['inputSchema']['required'] == ['text']
    assert set(tools['next']['inputSchema']['properties']) == {
        'dry_run', 'task'}
    for tool in tools.values():
        assert tool['title'] and len(tool['description']) < 500
        for schema in tool['inputSchema']['properties'].values():
            assert schema['description']
    assert server.close() == 0


def scenario_attempt():
    """One attempt from its idea to its row, by tools alone."""
    server = Server()
    server.open()
    assert server.answer('next') == run('next')[1]
    would = server.answer('start', approach='less', hypothesis='-x $(y)',
                          no_profile='a knob', dry_run=True)
    assert would['dry_run'] is True
    started = server.answer('start', approach='less', hypothesis='-x $(y)',
                            no_profile='a knob', include=['src/code.cc'],
                            preserve=True)
    again = server.answer('start', approach='less', hypothesis='-x $(y)',
                          no_profile='a knob')
    assert again['worktree'] == started['worktree']
    assert server.answer('status')['open'][0]['approach'] == 'less'
    work(started['worktree'], 500)
    assert server.answer('check', approach='less')['no_change'] is False
    decided = server.answer('decide', approach='less')
    assert decided['decision'] == 'keep' and decided['exit_code'] == 0
    assert run('decide', 'less') == (0, decided)
    logged = server.answer('log', text='it was\nthe loop')
    assert logged['ok'] is True
    assert server.answer('status') == run('status')[1]
    assert rows() == 1
    # What a verb refuses is a result that says so, with the verb's own words.
    refused = server.tool('decide', approach='les')
    assert refused['isError'] is True
    assert refused['structuredContent'] == run('decide', 'les')[1]
    assert refused['structuredContent']['error']['code'] == 69
    # A discard is an answer, no failure.
    server.answer('start', approach='nothing', hypothesis='x')
    assert server.answer('decide', approach='nothing')['decision'] == 'discard'
    assert server.close() == 0


def scenario_arguments():
    server = Server()
    server.open()
    for arguments, said in [
            ({'aproach': 'x'}, 'check takes no argument "aproach"; did you '
                               'mean approach?'),
            ({'approach': 3}, 'approach: expected a string, got 3'),
            ({'approach': ['x']}, 'approach: expected a string, got ["x"]'),
            ({'approach': 'a\0b'}, 'approach: expected a text without NUL, '
                                   'got one'),
            ({'approach': 'x', 'dry_run': 'yes'},
             'dry_run: expected true or false, got "yes"')]:
        refused = server.tool('check', **arguments)
        assert refused == {'content': [{'type': 'text', 'text': said}],
                           'isError': True}, refused
    refused = server.tool('start', approach='x', include='y')
    assert refused['content'][0]['text'] == \
        'include: expected an array of strings, got "y"'
    # Words are words, whatever they look like.
    for word in ['--help', '-C', '--', '', '\u2028\U0001F600', '"; rm -rf /']:
        refused = server.tool('check', approach=word)
        assert refused['isError'] is True
        assert refused['structuredContent']['ok'] is False
    assert server.tool('check')['structuredContent']['error']['code'] == 64
    other = server.tool('status', task='none')
    assert 'no task' in other['structuredContent']['error']['message']
    assert server.error('tools/call', {'name': 'init'}) == (
        -32602, 'name: no such tool; there are next, start, check, decide, '
                'status, log')
    for params in [{}, {'name': 3}, {'name': 'status', 'arguments': []},
                   {'name': 'status', 'arguments': 'x'}]:
        assert server.error('tools/call', params)[0] == -32602
    assert server.error('tools/list', {'cursor': 'x'})[0] == -32602
    assert server.close() == 0


def scenario_hostile():
    """Nothing that comes in ends the server or confuses its answers."""
    server = Server()
    server.open()

    def refused(text, code):
        server.write(text)
        answer = server.receive()
        assert answer['id'] is None, answer
        assert answer['error']['code'] == code, answer

    refused('garbage\n', -32700)
    refused(b'\xff\xfe\x00\n', -32700)
    refused('{"jsonrpc": "2.0", "id": 1, "method": "ping"\n', -32700)
    refused('[' * 100000 + '\n', -32700)
    refused('[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]\n', -32600)
    refused('[]\n', -32600)
    refused('3\n', -32600)
    refused('{}\n', -32600)
    refused('{"jsonrpc": "1.0", "id": 1, "method": "ping"}\n', -32600)
    refused('{"jsonrpc": "2.0", "id": 1, "method": 3}\n', -32600)
    refused('{"jsonrpc": "2.0", "id": null, "method": "ping"}\n', -32600)
    refused('{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}\n', -32600)
    refused('{"jsonrpc": "2.0", "id": {}, "method": "ping"}\n', -32600)
    refused(b'"' + b'x' * (5 << 20) + b'"\n', -32700)
    server.write('\n  \n\r\n')
    # Not ours to answer.
    server.send(id=7, result={})
    server.send(id=7, error={'code': 1, 'message': 'x'})
    for method in ['notifications/cancelled', 'notifications/x', 'ping',
                   'tools/call']:
        for params in [{}, [], 3, {'requestId': 99}, {'requestId': None}]:
            server.send(method=method, params=params)
    server.write('{"jsonrpc": "2.0", "id": "s", "method": "ping"}\r\n')
    assert server.receive() == {'jsonrpc': '2.0', 'id': 's', 'result': {}}
    assert server.error('no/such')[0] == -32601
    assert server.error('resources/list')[0] == -32601
    assert server.error('ping', [1])[0] == -32602
    assert server.error('tools/list', 'x')[0] == -32602
    assert server.error('initialize', {})[0] == -32602
    # In pieces, and several at once.
    text = b'{"jsonrpc": "2.0", "id": 70, "method": "ping"}\n'
    for i in range(len(text)):
        server.write(text[i:i + 1])
    assert server.receive()['id'] == 70
    server.write(text * 50)
    assert [server.receive()['id'] for _ in range(50)] == [70] * 50
    # A flood of calls is queued, then refused; each has one answer.
    asked = [server.ask_tool('log', {'text': f'{i}', 'dry_run': True})
             for i in range(70)]
    answers = [server.receive() for _ in asked]
    assert sorted(answer['id'] for answer in answers) == asked
    errors = [answer for answer in answers if 'error' in answer]
    assert errors and all(e['error']['code'] == -32603 for e in errors), errors
    server.write('{"jsonrpc": "2.0", "id": 90, "method": "ping"}')  # no line end
    server.process.stdin.close()
    assert server.receive()['id'] == 90
    assert server.receive() is None
    assert server.process.wait(timeout=PATIENCE) == 0


def start_long(server):
    """An attempt whose decision goes on until its budget of minutes."""
    for setting in ('min_effect', '0.01%'), ('budget', '600s'):
        assert run('task', 'set', 'policy.' + setting[0], setting[1])[0] == 0
    started = server.answer('start', approach='even', hypothesis='x',
                            no_profile='a knob')
    work(started['worktree'], 899)


def begin(server, **meta):
    """Asks for the long decision, and returns when it measures."""
    asked = server.ask_tool('decide', {'approach': 'even'},
                            progressToken='begin', **meta)
    while True:
        message = server.messages.get(timeout=PATIENCE)
        if message.get('method') != 'notifications/progress':
            raise AssertionError(message)
        server.progress.append(message['params'])
        if message['params']['message'].startswith('round '):
            return asked


def scenario_running():
    """While a decision runs: progress, other calls, the same call, cancel."""
    server = Server()
    server.open()
    start_long(server)
    first = begin(server)
    told = [params['progress'] for params in server.progress]
    assert told == sorted(set(told)), told
    assert all(params['progressToken'] == 'begin'
               for params in server.progress)
    assert server.result('ping') == {}
    assert server.answer('status')['open'][0]['approach'] == 'even'
    # An id that is in use is refused, and the call that uses it goes on.
    server.send(id=first, method='ping')
    busy = server.receive()
    assert busy['id'] is None and busy['error']['code'] == -32600, busy
    # The same call, spelled otherwise and again, waits for the same process.
    second = server.ask_tool('decide', {'approach': 'EVEN'}, progressToken=2)
    third = server.ask_tool('decide', {'approach': 'even'}, progressToken=3)
    assert server.result('ping') == {}
    assert len(children(server.process.pid)) == 1
    # One of those who wait goes: the others still do.
    server.send(method='notifications/cancelled',
                params={'requestId': first, 'reason': 'slow'})
    server.send(method='notifications/cancelled', params={'requestId': third})
    assert server.result('ping') == {}
    assert len(children(server.process.pid)) == 1
    # The last one goes: the decision ends, and says nothing more.
    server.send(method='notifications/cancelled', params={'requestId': second})
    # Asked again at once, it goes on where it was.
    server.progress.clear()
    begin(server)
    assert len(children(server.process.pid)) == 1
    code, other = run('decide', 'even')
    assert (code, other['error']['code']) == (75, 75), other
    # A client that goes takes its decision along; the attempt stays open.
    server.process.stdin.close()
    assert server.receive() is None
    assert server.process.wait(timeout=PATIENCE) == 0
    assert rows() == 0
    assert run('status')[1]['open'][0]['approach'] == 'even'


def scenario_end():
    """However the server ends, nothing runs on behind it."""
    for end in [signal.SIGTERM, signal.SIGINT, signal.SIGKILL]:
        server = Server()
        server.open()
        if end == signal.SIGTERM:
            start_long(server)
        begin(server)
        child = children(server.process.pid)[0]
        server.process.send_signal(end)
        while server.receive() is not None:
            pass
        code = server.process.wait(timeout=PATIENCE)
        assert code == (130 if end != signal.SIGKILL else -9), code
        for _ in range(PATIENCE * 10):
            if not os.path.exists(f'/proc/{child}'):
                break
            threading.Event().wait(0.1)
        assert not os.path.exists(f'/proc/{child}')
    # Requests from a pipe that ends behind them are answered.
    done = subprocess.run(
        [PROGRAM, '--task', 'knob', 'mcp'], stdout=subprocess.PIPE, check=True,
        input=b''.join(json.dumps(
            {'jsonrpc': '2.0', 'id': i, 'method': 'tools/call', 'params':
             {'name': 'status', 'arguments': {}, '_meta': MODERN}}).encode() +
            b'\n' for i in range(3)))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer['id'] for answer in answers] == [0, 1, 2], answers


globals()['scenario_' + sys.argv[2]]()
