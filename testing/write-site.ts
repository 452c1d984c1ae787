/** `node testing/write-site.ts MACHINE FROM TO`: a proxy's file as it is on the test's machine (testing/deployment.ts). */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { onMachine, type TestMachine } from './systemctl.ts';

const [machine = '', from = '', to = ''] = process.argv.slice(2);
const map = JSON.parse(readFileSync(machine, 'utf8')) as TestMachine;
writeFileSync(to, onMachine(map, readFileSync(from, 'utf8')));
