import { describe, expect, test } from 'vitest'
import { masked } from '../../src/model/secrets.ts'

describe('what looks like a secret is masked', () => {
  test.each([
    // keys of services
    ['sk-ant-REDACTED-NOT-A-KEY', 'sk-ant…'],
    ['token ghp_abcdefghijklmnop1234 here', 'token ghp_ab… here'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE', '-----B…'],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl', '-----B…'],
    // assignments
    ['mysql --password=letmein -u ada', 'mysql --password=… -u ada'],
    ['export DB_PASSWORD=hunter2', 'export DB_PASSWORD=…'],
    ["PGPASSWORD='hunter2 x' psql", "PGPASSWORD='… x' psql"],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI', 'AWS_SECRET_ACCESS_KEY=…'],
    ['grant_type=x&client_secret=a1b2c3d4&scope=y', 'grant_type=x&client_secret=…&scope=y'],
    ['https://api.test/v1?token=abcdefgh#top', 'https://api.test/v1?token=…'],
    ['Server=db;Password=pear!tree;Port=1', 'Server=db;Password=…;Port=1'],
    ['SMTP_PWD=pears', 'SMTP_PWD=…'],
    ['set password=pe', 'set password=…'],
    ['{"password":"pears","user":"ada"}', '{"password":"…","user":"ada"}'],
    ['{\\"api_key\\": \\"pears-and-apples\\"}', '{\\"api_key\\": \\"…\\"}'],
    ['const secret = "pears-and-apples"', 'const secret = "…"'],
    ["'token' => 'pears-and-apples'", "'token' => '…'"],
    ['passwd: hunter2', 'passwd: …'],
    ['password:hunter2', 'password:…'],
    ['api-key: 9f8e7d6c5b', 'api-key: …'],
    ['the token: 9f8e7d6c5b, as promised', 'the token: …, as promised'],
    // headers and addresses
    ['Authorization: Bearer abcdefghijklmnopqrst', 'Authorization: Bearer …'],
    ['-H "Authorization: Basic YWRhOnBlYXI="', '-H "Authorization: Basic …"'],
    ['"authorization": "token pears"', '"authorization": "token …"'],
    ['Bearer abcdefghijk1lmnop', 'Bearer…'],
    ['git clone https://ada:pears@git.test/shop.git', 'git clone https://ada:…@git.test/shop.git'],
    ['postgres://ada:p%40ss@db:5432/shop', 'postgres://ada:…@db:5432/shop'],
    ['redis://:pears@cache', 'redis://:…@cache'],
  ])('%s', (text, shownAs) => {
    expect(masked(text)).toBe(shownAs)
    expect(masked(masked(text))).toBe(shownAs)
  })
})

test.each([
  'a sky-high task',
  'call toolu_01AbCdEfGhIjKl',
  // prose
  'The password: please type it again',
  'I forgot my password, can you reset it?',
  'secret: nobody reads the manual',
  'A token: the smallest unit of text that a model reads',
  'Invalid token: expected } at line 12',
  'Unexpected token < in JSON at position 0',
  'the bearer of good news',
  'Use Bearer authentication instead',
  'Authorization: required for all routes',
  'Authorization header is missing',
  'key: value',
  // numbers and types
  'max_tokens=4096 and tokens: 128000',
  'token: 128000',
  'password: string; token?: string',
  'password=None, token=null',
  '"token": "string"',
  '"description": "the password of the user"',
  '{"password": "The password of the user"}',
  // references to a secret that stands elsewhere
  'password=$DB_PASSWORD',
  'login(password=password, token=self.token)',
  'password=os.environ["PW"]',
  'token = getToken()',
  'token=$\u007b{ secrets.NPM_TOKEN }}',
  'Authorization: Bearer $TOKEN',
  'Authorization: Bearer <token>',
  'https://$\u007bUSER}:$\u007bPASS}@git.test',
  'echo $PWD; PWD=/home/ada',
  // addresses without a password
  'http://localhost:8080/@scope/name',
  'https://host.test:8443/?mail=ada@pears.test',
  'git@github.com:ada/shop.git',
  'ssh://git@git.test:22/shop.git',
])('what is none stays: %s', (text) => {
  expect(masked(text)).toBe(text)
})

test('time is linear', () => {
  const started = performance.now()
  for (const piece of ['password', 'token=', 'a://', 'secret: "', 'Authorization: ', '-', 'x9', 'key:\\"', 'Bearer 1'])
    masked(piece.repeat(200_000))
  expect(performance.now() - started).toBeLessThan(5000)
})
