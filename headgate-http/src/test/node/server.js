// A server that express-rate-limit limits, with a budget of its own for each form of the headers. Prints its port, then answers until its input ends.
import express from 'express'
import { rateLimit } from 'express-rate-limit'

const [limit, windowMs] = process.argv.slice(2).map(Number)
const app = express()
for (const form of ['draft-8', 'draft-7', 'draft-6', 'legacy']) {
  app.use('/' + form, rateLimit({
    limit,
    windowMs,
    standardHeaders: form === 'legacy' ? false : form,
    legacyHeaders: form === 'legacy',
  }))
}
app.use((request, response) => response.end())
const server = app.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port))
process.stdin.resume().on('end', () => process.exit())
