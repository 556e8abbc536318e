// An ECP5's block RAM answers late in a cycle, which ABC does not know. So each of its outputs gets a
// box with a delay, which is taken off again after ABC.

`ifdef BOX

(* abc9_box *)
module LATE (input A, output Z);
  specify
    (A => Z) = 3900;
  endspecify
endmodule

`elsif UNBOX

module LATE (input A, output Z);
  assign Z = A;
endmodule

`else

// Yosys's block RAM with boxes. The memory itself gets another name, or it would be mapped again.
module \$__DP16KD_ (...);
  parameter INIT = 0;
  parameter OPTION_RESETMODE = "SYNC";
  parameter PORT_A_WIDTH = 18;
  parameter PORT_A_WR_BE_WIDTH = 2;
  parameter PORT_A_CLK_POL = 1;
  parameter PORT_A_OPTION_WRITEMODE = "NORMAL";
  parameter PORT_B_WIDTH = 18;
  parameter PORT_B_WR_BE_WIDTH = 2;
  parameter PORT_B_CLK_POL = 1;
  parameter PORT_B_OPTION_WRITEMODE = "NORMAL";

  input PORT_A_CLK, PORT_A_CLK_EN, PORT_A_WR_EN, PORT_A_RD_SRST, PORT_A_RD_ARST;
  input [13:0] PORT_A_ADDR;
  input [PORT_A_WR_BE_WIDTH-1:0] PORT_A_WR_BE;
  input [PORT_A_WIDTH-1:0] PORT_A_WR_DATA;
  output [PORT_A_WIDTH-1:0] PORT_A_RD_DATA;
  input PORT_B_CLK, PORT_B_CLK_EN, PORT_B_WR_EN, PORT_B_RD_SRST, PORT_B_RD_ARST;
  input [13:0] PORT_B_ADDR;
  input [PORT_B_WR_BE_WIDTH-1:0] PORT_B_WR_BE;
  input [PORT_B_WIDTH-1:0] PORT_B_WR_DATA;
  output [PORT_B_WIDTH-1:0] PORT_B_RD_DATA;

  wire [PORT_A_WIDTH-1:0] a;
  wire [PORT_B_WIDTH-1:0] b;

  \$__LATE_DP16KD_ #(
    .INIT(INIT),
    .OPTION_RESETMODE(OPTION_RESETMODE),
    .PORT_A_WIDTH(PORT_A_WIDTH),
    .PORT_A_WR_BE_WIDTH(PORT_A_WR_BE_WIDTH),
    .PORT_A_CLK_POL(PORT_A_CLK_POL),
    .PORT_A_OPTION_WRITEMODE(PORT_A_OPTION_WRITEMODE),
    .PORT_B_WIDTH(PORT_B_WIDTH),
    .PORT_B_WR_BE_WIDTH(PORT_B_WR_BE_WIDTH),
    .PORT_B_CLK_POL(PORT_B_CLK_POL),
    .PORT_B_OPTION_WRITEMODE(PORT_B_OPTION_WRITEMODE)
  ) _TECHMAP_REPLACE_ (
    .PORT_A_CLK(PORT_A_CLK),
    .PORT_A_CLK_EN(PORT_A_CLK_EN),
    .PORT_A_WR_EN(PORT_A_WR_EN),
    .PORT_A_RD_SRST(PORT_A_RD_SRST),
    .PORT_A_RD_ARST(PORT_A_RD_ARST),
    .PORT_A_ADDR(PORT_A_ADDR),
    .PORT_A_WR_BE(PORT_A_WR_BE),
    .PORT_A_WR_DATA(PORT_A_WR_DATA),
    .PORT_A_RD_DATA(a),
    .PORT_B_CLK(PORT_B_CLK),
    .PORT_B_CLK_EN(PORT_B_CLK_EN),
    .PORT_B_WR_EN(PORT_B_WR_EN),
    .PORT_B_RD_SRST(PORT_B_RD_SRST),
    .PORT_B_RD_ARST(PORT_B_RD_ARST),
    .PORT_B_ADDR(PORT_B_ADDR),
    .PORT_B_WR_BE(PORT_B_WR_BE),
    .PORT_B_WR_DATA(PORT_B_WR_DATA),
    .PORT_B_RD_DATA(b)
  );

  genvar n;
  generate
    for (n = 0; n < PORT_A_WIDTH; n = n + 1)
      LATE late_a (.A(a[n]), .Z(PORT_A_RD_DATA[n]));
    for (n = 0; n < PORT_B_WIDTH; n = n + 1)
      LATE late_b (.A(b[n]), .Z(PORT_B_RD_DATA[n]));
  endgenerate
endmodule

`endif
