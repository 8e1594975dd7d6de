const calls = [
  ['GET', '/api/public'],
  ['GET', '/api/protected', {'X-API-Key': 'demo-key'}],
  ['GET', '/api/data'],
  ['GET', '/api/status'],
  ['GET', '/api/expensive-operation'],
  ['GET', '/api/user/alice'],
  ['POST', '/api/login'],
  ['GET', '/api/health'],
  ['GET', '/api/metrics'],
];
const shown = ['ratelimit', 'ratelimit-policy', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining',
  'x-ratelimit-reset'];
const log = document.getElementById('log');

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) {
    made.className = className;
  }
  return made;
}

async function call([method, path, headers]) {
  const answer = await fetch(path, {method, headers});
  const body = await answer.json();
  const item = document.createElement('li');
  item.className = answer.ok ? 'allowed' : 'denied';
  item.append(element('span', answer.status, 'status'), element('span', `${method} ${path}`, 'what'));
  const list = document.createElement('dl');
  for (const name of shown) {
    if (answer.headers.has(name)) {
      list.append(element('dt', name), element('dd', answer.headers.get(name)));
    }
  }
  list.append(element('dt', 'body'), element('dd', body.detail ?? body.message));
  item.append(list);
  log.prepend(item);
  while (log.children.length > 50) {
    log.lastChild.remove();
  }
  document.getElementById('none').hidden = true;
}

for (const each of calls) {
  const button = document.createElement('button');
  button.append(element('b', each[0]), each[1]);
  button.dataset.path = each[1];
  button.onclick = () => call(each);
  document.getElementById('calls').append(button);
}

document.getElementById('burst').onclick = async () => {
  for (let i = 0; i < 11; i++) {
    await call(calls[0]);
  }
};

fetch('/rules').then(answer => answer.json()).then(rules => {
  for (const rule of rules) {
    const row = document.createElement('tr');
    for (const column of ['name', 'paths', 'subject', 'limits', 'algorithm', 'behavior']) {
      row.append(element('td', rule[column]));
    }
    document.getElementById('rows').append(row);
  }
});
