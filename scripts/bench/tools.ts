import { BASELINE, type Bench, BIN, megabytes, type Row, seconds, session } from './bench.ts'
import { inTurn, isInstalled, spend, spendNode } from './measure.ts'

const PYTHON = 'import json,sys\nfor line in open(sys.argv[1], "rb"): json.loads(line)'

const tools: Bench = {
  name: 'tools',
  table: 'tools',
  about: 'jq, Python, wc and Node on the same file',
  run(at) {
    const { path } = session(at, 'tools', { seed: 1, bytes: at.megabytes * 1e6, parts: 4 })
    const sides = [
      {
        what: '`convfix check`',
        does: 'finds what is wrong',
        program: '',
        run: () => spendNode([BIN, 'check', path], { expected: [0] }),
      },
      {
        what: '`node`, `JSON.parse` of each line',
        does: 'parses',
        program: '',
        run: () => spendNode([BASELINE, path]),
      },
      {
        what: '`jq -c empty`',
        does: 'parses',
        program: 'jq',
        run: () => spend('jq', ['-c', 'empty', path], { expected: [0] }),
      },
      {
        what: '`python3`, `json.loads` of each line',
        does: 'parses',
        program: 'python3',
        run: () => spend('python3', ['-c', PYTHON, path], { expected: [0] }),
      },
      {
        what: '`wc -l`',
        does: 'counts line ends',
        program: 'wc',
        run: () => spend('wc', ['-l', path], { expected: [0] }),
      },
    ]
    const here = sides.filter(({ program }) => program === '' || isInstalled(program))
    const costs = inTurn(
      at.times,
      here.map((side) => side.run),
    )
    return sides.map((side): Row => {
      const cost = costs[here.indexOf(side)]
      if (!cost) return [side.what, 'not installed', '', side.does]
      return [side.what, seconds(cost.cpu), cost.memory > 0 ? megabytes(cost.memory) : '', side.does]
    })
  },
}

export const TOOLS: readonly Bench[] = [tools]
